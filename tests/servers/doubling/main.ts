/** Sends every response twice, from the 501st request on. */
const RIGHT =
  "HTTP/1.1 200 OK\r\ncontent-type: text/plain;charset=UTF-8\r\ncontent-length: 11\r\n\r\nHello world";
const HONEST = 500;
let requests = 0;

async function respond(connection: Deno.TcpConn): Promise<void> {
  const received = new Uint8Array(65536);
  try {
    for (let count = await connection.read(received); count !== null;) {
      const heads = new TextDecoder().decode(received.subarray(0, count)).split("\r\n\r\n");
      let text = "";
      for (let left = heads.length - 1; left > 0; left--) {
        text += RIGHT.repeat(++requests > HONEST ? 2 : 1);
      }
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
      count = await connection.read(received);
    }
  } catch {
    // The client has disconnected
  }
}

const port = Number(Deno.env.get("PORT"));
for await (const connection of Deno.listen({ hostname: "127.0.0.1", port })) respond(connection);
