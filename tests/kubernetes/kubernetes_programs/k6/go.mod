module cluster.invalid/k6

go 1.26.0

require go.k6.io/k6 v1.8.1
