/** `Deno.serve` with nothing else: what every server on Deno costs at least. */
Deno.serve({
  hostname: Deno.env.get("HOST") ?? "127.0.0.1",
  port: Number(Deno.env.get("PORT") ?? 8000),
  onListen: () => {},
}, ({ url }) => {
  switch (new URL(url).pathname) {
    case "/":
      return new Response("Hello world");
    case "/json":
      return Response.json({ message: "Hello world", ts: new Date().toISOString() });
    default:
      return new Response("Not found", { status: 404 });
  }
});
