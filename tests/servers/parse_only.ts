/** Reads a body as JSON and answers what `/schema` does: what validating costs more than nothing at all. */
Deno.serve({
  hostname: Deno.env.get("HOST") ?? "127.0.0.1",
  port: Number(Deno.env.get("PORT")),
  onListen: () => {},
}, async (request) => {
  if (request.method === "GET") return new Response("ready");
  await request.json();
  return Response.json({ message: "Hello, World" });
});
