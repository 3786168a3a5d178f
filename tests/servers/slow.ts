/**
 * A server with known response times: each response takes WAIT_MS, many in parallel, and its event loop is
 * blocked for STALL_MS at every full EVERY_MS. It prints its origin.
 */
const of = (name: string): number => Number(Deno.env.get(name) ?? 0);
const [waitMs, stallMs, everyMs] = ["WAIT_MS", "STALL_MS", "EVERY_MS"].map(of);

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  // deno-lint-ignore no-console -- its response
  onListen: ({ port }) => console.log(`http://127.0.0.1:${port}/`),
}, async () => {
  if (waitMs) await new Promise((resolve) => setTimeout(resolve, waitMs));
  return new Response("Hello world");
});

if (stallMs && everyMs) {
  setInterval(() => {
    const endMs = performance.now() + stallMs;
    while (performance.now() < endMs);
  }, everyMs);
}
