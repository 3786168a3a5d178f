/** Answers `/` like `peers/deno-bare`, after the step in its argument, to measure the step's CPU time. */
const steps: Readonly<Record<string, Deno.ServeHandler>> = {
  /** Takes the request, and does not look at it. */
  request: (_request) => new Response("Hello world"),
  /** Reads the URL, which makes Deno read the method as well. */
  url: ({ url }) => new Response(url === "" ? "" : "Hello world"),
  /** Parses the URL and compares the path, as many servers do. */
  path: ({ url }) => new Response(new URL(url).pathname === "/" ? "Hello world" : ""),
};
const handler = steps[Deno.args[0] ?? ""];
if (handler === undefined) throw new Error(`Name a step: ${Object.keys(steps).join(", ")}`);

Deno.serve({
  hostname: Deno.env.get("HOST") ?? "127.0.0.1",
  port: Number(Deno.env.get("PORT")),
  onListen: () => {},
}, handler);
