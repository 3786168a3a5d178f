import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
} from "@nestjs/websockets";

/** Event name of every message. */
export const ECHO = "echo";

@WebSocketGateway({ path: "/echo", maxPayload: 1_000_000 })
export class EchoGateway {
  /** Sends directly, because Nest would encode a return value as JSON. */
  @SubscribeMessage(ECHO)
  echo(@ConnectedSocket() socket: { send(data: unknown): void }, @MessageBody() data: unknown) {
    socket.send(data);
  }
}
