/** Answers once at once, then takes three seconds for each response; it knows no graceful end. */
let count = 0;

Deno.serve(
  { hostname: "127.0.0.1", port: Number(Deno.env.get("PORT")), onListen: () => {} },
  async () => {
    if (count++ > 0) await new Promise((resolve) => setTimeout(resolve, 3000));
    return new Response("Hello world");
  },
);
