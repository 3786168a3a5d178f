package main

import (
	"io"
	"net/http"

	"github.com/coder/websocket"

	"stampede/go/contract"
)

func upload(w http.ResponseWriter, r *http.Request) {
	digest, err := contract.DigestOf(http.MaxBytesReader(w, r.Body, contract.MostUpload))
	answer(w, digest, err)
}

func stream(w http.ResponseWriter, r *http.Request) {
	events, err := contract.EventsOf(queryOf(r))
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	flusher := http.NewResponseController(w)
	for event := range events.Each {
		if _, err := io.WriteString(w, event); err != nil {
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
	contract.Echo(socket)
}
