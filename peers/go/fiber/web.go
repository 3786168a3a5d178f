package main

import (
	"bufio"
	"bytes"

	"github.com/fasthttp/websocket"
	"github.com/gofiber/fiber/v3"

	"stampede/go/contract"
)

func upload(c fiber.Ctx) error {
	digest, err := contract.DigestOf(bytes.NewReader(c.BodyRaw()))
	return answer(c, digest, err)
}

func stream(c fiber.Ctx) error {
	events, err := contract.EventsOf(queryOf(c))
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/event-stream")
	return c.SendStreamWriter(func(w *bufio.Writer) {
		for event := range events.Each {
			w.WriteString(event)
			if w.Flush() != nil {
				return // the client has left
			}
		}
	})
}

var upgrader = websocket.FastHTTPUpgrader{}

func echo(c fiber.Ctx) error {
	return upgrader.Upgrade(c.RequestCtx(), sendBack)
}

// sendBack sends each message back as it came.
func sendBack(socket *websocket.Conn) {
	for {
		kind, message, err := socket.ReadMessage()
		if err != nil {
			return
		}
		if socket.WriteMessage(kind, message) != nil {
			return
		}
	}
}
