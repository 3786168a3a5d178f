package contract

import (
	"strconv"
	"time"
)

// Events are how many server-sent events there are, and what time lies between them.
type Events struct {
	count int
	pause time.Duration
}

func EventsOf(query Query) (Events, error) {
	count, err := integer(query, "events", 1, 10_000, 100)
	if err != nil {
		return Events{}, err
	}
	wait, err := integer(query, "ms", 0, 1000, 0)
	return Events{count, time.Duration(wait) * time.Millisecond}, err
}

// Each yields one event after the other, until it is told to stop.
func (e Events) Each(yield func(event string) bool) {
	for i := 1; i <= e.count; i++ {
		if e.pause > 0 && i > 1 {
			time.Sleep(e.pause)
		}
		if !yield("data: " + strconv.Itoa(i) + "\n\n") {
			return
		}
	}
}
