/** Sends a wrong response every 50th time. */
let count = 0;
Deno.serve(
  { hostname: "127.0.0.1", port: Number(Deno.env.get("PORT")), onListen: () => {} },
  () => new Response(++count % 50 === 0 ? "Hello wurld" : "Hello world"),
);
