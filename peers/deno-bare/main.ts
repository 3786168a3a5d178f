/** `Deno.serve` with nothing else: what every server on Deno costs at least. */
const [cert, key] = ["TLS_CERT", "TLS_KEY"].map((name) => Deno.env.get(name));
const tls = cert && key && { cert: Deno.readTextFileSync(cert), key: Deno.readTextFileSync(key) };

Deno.serve({
  hostname: Deno.env.get("HOST") ?? "127.0.0.1",
  port: Number(Deno.env.get("PORT") ?? 8000),
  onListen: () => {},
  ...tls,
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
