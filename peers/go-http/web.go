package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/coder/websocket"
)

const (
	maxUpload  = 1_000_000
	maxMessage = 1 << 20
)

// files serves a folder. http.ServeContent answers 304 where the ETag that is set is known.
func files(folder string) http.Handler {
	server := http.FileServer(http.Dir(folder))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := filepath.Join(folder, filepath.FromSlash(filepath.Clean("/"+r.URL.Path)))
		info, err := os.Stat(path)
		if err != nil || info.IsDir() {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
		server.ServeHTTP(w, r)
	})
}

type digest struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func upload(w http.ResponseWriter, r *http.Request) {
	hash := sha256.New()
	size, err := io.Copy(hash, http.MaxBytesReader(w, r.Body, maxUpload))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		http.Error(w, "the body is too large", http.StatusRequestEntityTooLarge)
	case err != nil:
		http.Error(w, "the body did not arrive whole", http.StatusBadRequest)
	default:
		writeJSON(w, digest{size, hex.EncodeToString(hash.Sum(nil))})
	}
}

func stream(w http.ResponseWriter, r *http.Request) {
	count, ok := integer(w, r, "events", 1, 10_000, 100)
	if !ok {
		return
	}
	ms, ok := integer(w, r, "ms", 0, 1000, 0)
	if !ok {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	flusher := http.NewResponseController(w)
	for i := 1; i <= count; i++ {
		if ms > 0 && i > 1 {
			time.Sleep(time.Duration(ms) * time.Millisecond)
		}
		if _, err := io.WriteString(w, "data: "+strconv.Itoa(i)+"\n\n"); err != nil {
			return
		}
		flusher.Flush()
	}
}

func echo(w http.ResponseWriter, r *http.Request) {
	socket, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // it has answered already
	}
	defer socket.CloseNow()
	socket.SetReadLimit(maxMessage)
	for {
		kind, message, err := socket.Read(r.Context())
		if err != nil {
			return
		}
		if err := socket.Write(r.Context(), kind, message); err != nil {
			return
		}
	}
}
