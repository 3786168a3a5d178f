/** Leaks 400 KiB per request to `/`, and a descriptor per ten requests. */
const KEPT_BYTES = 400 * 1024;
const kept: Uint8Array[] = [];
const files: Deno.FsFile[] = [];

Deno.serve(
  { hostname: Deno.env.get("HOST") ?? "", port: Number(Deno.env.get("PORT")), onListen: () => {} },
  (request) => {
    if (new URL(request.url).pathname !== "/") return new Response("Nothing here", { status: 404 });
    kept.push(new Uint8Array(KEPT_BYTES).fill(1));
    if (kept.length % 10 === 0) files.push(Deno.openSync("/dev/null"));
    return new Response("Hello world");
  },
);
