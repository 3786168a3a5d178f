package contract

import (
	"os"
	"sync/atomic"
	"time"
)

// Delay reads a file; every tenth time of all it waits 2 s first, unless it is told otherwise.
type Delay struct {
	File  string
	count atomic.Int64
}

func (d *Delay) Read(query Query) ([]byte, error) {
	wait, err := integer(query, "ms", 0, 60_000, 2000)
	if err != nil {
		return nil, err
	}
	nth, err := integer(query, "every", 1, 1_000_000, 10)
	if err != nil {
		return nil, err
	}
	if d.count.Add(1)%int64(nth) == 0 {
		time.Sleep(time.Duration(wait) * time.Millisecond)
	}
	return os.ReadFile(d.File)
}
