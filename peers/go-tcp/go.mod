module stampede/go-tcp

go 1.25.0
