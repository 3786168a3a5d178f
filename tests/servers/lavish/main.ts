/** Sends more than one response for each request. Its argument selects which. */
const RIGHT =
  "HTTP/1.1 200 OK\r\ncontent-type: text/plain;charset=UTF-8\r\ncontent-length: 11\r\n\r\nHello world";
const RESPONSES: Readonly<Record<string, string>> = {
  interim: `HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n${RIGHT}`,
  three: RIGHT.repeat(3),
};
const sent = new TextEncoder().encode(RESPONSES[Deno.args[0] ?? ""]);

async function respond(connection: Deno.TcpConn): Promise<void> {
  const received = new Uint8Array(65536);
  try {
    while (await connection.read(received) !== null) await connection.write(sent);
  } catch {
    // The client has disconnected
  }
}

const port = Number(Deno.env.get("PORT"));
for await (const connection of Deno.listen({ hostname: "127.0.0.1", port })) respond(connection);
