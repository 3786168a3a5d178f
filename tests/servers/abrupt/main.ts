/**
 * Answers the first request at once and takes three seconds for each later one. It does not shut down
 * gracefully.
 */
let count = 0;

Deno.serve(
  { hostname: "127.0.0.1", port: Number(Deno.env.get("PORT")), onListen: () => {} },
  async () => {
    if (count++ > 0) await new Promise((resolve) => setTimeout(resolve, 3000));
    return new Response("Hello world");
  },
);
