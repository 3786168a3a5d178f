/** Accepts WebSockets and never echoes a message. `WRONG` selects the behaviour. */
import { createHash } from "node:crypto";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const PINGS = new Uint8Array(20_000).map((_, i) => i % 2 === 0 ? 0x89 : 0);
const MESSAGE = new Uint8Array([0x81, 1, 65]);
const wrong = Deno.env.get("WRONG");

/** Sends pings, messages or nothing after the handshake, and never closes the connection. */
async function send(connection: Deno.TcpConn): Promise<void> {
  for (;;) {
    if (wrong === "pings") await connection.write(PINGS);
    else await new Promise((resolve) => setTimeout(resolve, 4000));
    if (wrong === "drips") await connection.write(MESSAGE);
  }
}

async function serve(connection: Deno.TcpConn): Promise<void> {
  const received = new Uint8Array(65536);
  const text = new TextDecoder().decode(
    received.subarray(0, await connection.read(received) ?? 0),
  );
  const key = /^sec-websocket-key: *(\S+)/im.exec(text)?.[1];
  const head = key === undefined
    ? "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    : "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n" +
      `sec-websocket-accept: ${createHash("sha1").update(key + GUID).digest("base64")}\r\n\r\n`;
  await connection.write(new TextEncoder().encode(head));
  if (key === undefined) connection.close();
  else await send(connection);
}

const port = Number(Deno.env.get("PORT"));
for await (const connection of Deno.listen({ hostname: "127.0.0.1", port })) {
  serve(connection).catch(() => {}); // the client has disconnected
}
