package contract

import (
	"context"

	"github.com/coder/websocket"
)

const mostMessage = 1 << 20

// Echo sends each message back as it came, until one side leaves.
func Echo(ctx context.Context, socket *websocket.Conn) {
	socket.SetReadLimit(mostMessage)
	for {
		kind, message, err := socket.Read(ctx)
		if err != nil {
			return
		}
		if err := socket.Write(ctx, kind, message); err != nil {
			return
		}
	}
}
