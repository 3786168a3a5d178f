/**
 * `Deno.serve` with a handler that only makes a response: the smallest possible server on Deno. The
 * argument selects the response to every request. The handler takes no request, so Deno creates none.
 */
const handlers: Readonly<Record<string, () => Response>> = {
  text: () => new Response("Hello world"),
  json: () => Response.json({ message: "Hello world", ts: new Date().toISOString() }),
};
const handler = handlers[Deno.args[0] ?? ""];
if (handler === undefined) {
  throw new Error(`Name a response: ${Object.keys(handlers).join(" or ")}`);
}

const [cert, key] = ["TLS_CERT", "TLS_KEY"].map((name) => Deno.env.get(name));
const tls = cert && key && { cert: Deno.readTextFileSync(cert), key: Deno.readTextFileSync(key) };

Deno.serve({
  hostname: Deno.env.get("HOST") ?? "127.0.0.1",
  port: Number(Deno.env.get("PORT") ?? 8000),
  onListen: () => {},
  ...tls,
}, handler);
