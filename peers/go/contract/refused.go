// Package contract holds what docs/contract.md asks of a server, whatever its framework is.
package contract

import (
	"errors"
	"log"
	"net/http"
	"strconv"
)

// Refused is why a request is not answered, and the status that says so.
type Refused struct {
	Status int
	Reason string
}

func (r Refused) Error() string { return r.Reason }

func bad(what string) error { return Refused{http.StatusBadRequest, "bad " + what} }

// Answer returns the status and the text of the answer to an error. The causes of the server's errors go to
// the log only.
func Answer(err error) (int, string) {
	status := statusOf(err)
	if status != http.StatusInternalServerError {
		return status, err.Error()
	}
	log.Print(err)
	return status, http.StatusText(status)
}

func statusOf(err error) int {
	if refused := new(Refused); errors.As(err, refused) {
		return refused.Status
	}
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusInternalServerError
}

// Query is how a framework hands over a parameter, and whether it is there.
type Query = func(name string) (string, bool)

// integer reads a parameter that is a whole number, or may be left out.
func integer(query Query, name string, low, high, fallback int) (int, error) {
	text, ok := query(name)
	if !ok {
		return fallback, nil
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < low || value > high {
		return 0, bad(name)
	}
	return value, nil
}
