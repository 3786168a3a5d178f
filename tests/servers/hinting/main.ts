/** Sends a response of status 103 before each final one. */
const ANSWER = new TextEncoder().encode(
  "HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n" +
    "HTTP/1.1 200 OK\r\ncontent-type: text/plain;charset=UTF-8\r\ncontent-length: 11\r\n\r\nHello world",
);

async function answer(connection: Deno.TcpConn): Promise<void> {
  const received = new Uint8Array(65536);
  try {
    while (await connection.read(received) !== null) await connection.write(ANSWER);
  } catch {
    // The client has gone.
  }
}

const port = Number(Deno.env.get("PORT"));
for await (const connection of Deno.listen({ hostname: "127.0.0.1", port })) answer(connection);
