package contract

import (
	"context"

	"github.com/coder/websocket"
)

const mostMessage = 1 << 20

// Echo sends each message back as it came, until one side leaves. The context of the request must not be
// used after websocket.Accept (https://pkg.go.dev/github.com/coder/websocket#Accept).
func Echo(socket *websocket.Conn) {
	ctx := context.Background()
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
