/** Answers every read with the same bytes: the least work that a server can do. */
const response = new TextEncoder().encode(
  "HTTP/1.1 200 OK\r\ncontent-type: text/plain;charset=UTF-8\r\ncontent-length: 11\r\n" +
    "connection: keep-alive\r\n\r\nHello world", // ab needs it, because it speaks HTTP/1.0
);
const port = Number(Deno.env.get("PORT"));
for await (const connection of Deno.listen({ hostname: "127.0.0.1", port })) {
  (async () => {
    const request = new Uint8Array(4096);
    while (await connection.read(request) !== null) await connection.write(response);
  })().catch(() => {}).finally(() => connection.close());
}
