/** Takes half a second for an answer, and knows no graceful end. */
Deno.serve(
  { hostname: "127.0.0.1", port: Number(Deno.env.get("PORT")), onListen: () => {} },
  async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    return new Response("Hello world");
  },
);
