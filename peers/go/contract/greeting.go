package contract

import "time"

// Greeting is what /json answers.
type Greeting struct {
	Message string    `json:"message"`
	Time    time.Time `json:"ts"`
}

func Greet() Greeting {
	return Greeting{"Hello world", time.Now().UTC()}
}
