package contract

// Primes are what /primes answers.
type Primes struct {
	Numbers []int  `json:"numbers"`
	From    string `json:"from"`
}

func PrimesUpTo(query Query) (Primes, error) {
	limit, err := integer(query, "limit", 2, 10_000_000, 1_000_000)
	if err != nil {
		return Primes{}, err
	}
	return Primes{sieve(limit), "a goroutine"}, nil
}

// sieve returns the primes up to a limit: https://en.wikipedia.org/wiki/Sieve_of_Eratosthenes
func sieve(limit int) []int {
	composite := make([]bool, limit+1) // a bool is a byte
	var numbers []int
	for n := 2; n <= limit; n++ {
		if composite[n] {
			continue
		}
		numbers = append(numbers, n)
		for multiple := n * n; multiple <= limit; multiple += n {
			composite[multiple] = true
		}
	}
	return numbers
}
