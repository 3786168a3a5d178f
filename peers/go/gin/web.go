package main

import (
	"net/http"

	"github.com/coder/websocket"
	"github.com/gin-gonic/gin"

	"stampede/go/contract"
)

func upload(c *gin.Context) {
	digest, err := contract.DigestOf(http.MaxBytesReader(c.Writer, c.Request.Body, contract.MostUpload))
	answer(c, digest, err)
}

func stream(c *gin.Context) {
	events, err := contract.EventsOf(c.GetQuery)
	if err != nil {
		fail(c, err)
		return
	}
	c.Header("Content-Type", "text/event-stream")
	for event := range events.Each {
		if _, err := c.Writer.WriteString(event); err != nil {
			return
		}
		c.Writer.Flush()
	}
}

func echo(c *gin.Context) {
	socket, err := websocket.Accept(c.Writer, c.Request, nil)
	if err != nil {
		return // it has answered already
	}
	defer socket.CloseNow()
	contract.Echo(socket)
}
