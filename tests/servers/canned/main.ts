/** Answers the same bytes to every read: as little work as a server can have. */
const response = new TextEncoder().encode(
  "HTTP/1.1 200 OK\r\ncontent-type: text/plain;charset=UTF-8\r\ncontent-length: 11\r\n" +
    "connection: keep-alive\r\n\r\nHello world", // which ab, with HTTP/1.0, waits for
);
const port = Number(Deno.env.get("PORT"));
for await (const connection of Deno.listen({ hostname: "127.0.0.1", port })) {
  (async () => {
    const request = new Uint8Array(4096);
    while (await connection.read(request) !== null) await connection.write(response);
  })().catch(() => {}).finally(() => connection.close());
}
