/**
 * Parses a body as JSON and answers like `/schema` without validating. It measures the cost of validation.
 */
Deno.serve({
  hostname: Deno.env.get("HOST") ?? "127.0.0.1",
  port: Number(Deno.env.get("PORT")),
  onListen: () => {},
}, async (request) => {
  if (request.method === "GET") return new Response("ready");
  await request.json();
  return Response.json({ message: "Hello, World" });
});
