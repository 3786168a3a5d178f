package main

import (
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// delay answers a file; every tenth request of all waits 2 s first, unless its query says otherwise.
type delay struct {
	file  string
	count atomic.Int64
}

func (d *delay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ms, ok := integer(w, r, "ms", 0, 60_000, 2000)
	if !ok {
		return
	}
	every, ok := integer(w, r, "every", 1, 1_000_000, 10)
	if !ok {
		return
	}
	if d.count.Add(1)%int64(every) == 0 {
		time.Sleep(time.Duration(ms) * time.Millisecond)
	}
	html, err := os.ReadFile(d.file)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html;charset=utf-8")
	w.Write(html)
}
