import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
} from "@nestjs/websockets";

/** What every message is an event of. */
export const ECHO = "echo";

@WebSocketGateway({ path: "/echo", maxPayload: 1_000_000 })
export class EchoGateway {
  /** Sends by itself, since Nest would write what is returned as JSON. */
  @SubscribeMessage(ECHO)
  echo(@ConnectedSocket() socket: { send(data: unknown): void }, @MessageBody() data: unknown) {
    socket.send(data);
  }
}
