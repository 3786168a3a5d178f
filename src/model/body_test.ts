import { rejects, strictEqual } from "node:assert/strict";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { LONGEST_BODY, textOf } from "./body.ts";

const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

/** Returns a response with an endless body in pieces of a megabyte. */
function endless(headers: Readonly<Record<string, string>> = {}): Response {
  const piece = new Uint8Array(2 ** 20);
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
  return new Response(body, { headers });
}

Deno.test("textOf reads a body whole, with or without its length", async () => {
  strictEqual(await textOf(new Response("\ufeffhi")), "\ufeffhi");
  strictEqual(await textOf(new Response("hi", { headers: { "content-length": "2" } })), "hi");
  strictEqual(await textOf(new Response(null)), "");
});

Deno.test("textOf gives up a body that is too long, or never ends", async () => {
  for (const headers of [{}, { "content-length": String(LONGEST_BODY + 1) }]) {
    await rejects(
      textOf(endless(headers)),
      /^Mismatch: expected a body of 64 MiB at most, got more/,
    );
  }
});

Deno.test("textOf gives up a small body that expands to a long one", async () => {
  const long = new Uint8Array(LONGEST_BODY + 1);
  const coded = { gzip: gzipSync(long), br: brotliCompressSync(long, QUICKLY) };
  for (const [coding, bytes] of Object.entries(coded)) {
    const headers = { "content-encoding": coding, "content-length": String(bytes.length) };
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response(bytes as BodyInit, { headers }),
    );
    using client = Deno.createHttpClient({});
    const response = await fetch(`http://127.0.0.1:${server.addr.port}`, { client });
    await rejects(textOf(response), /^Mismatch: expected a body of 64 MiB at most, got more/);
  }
});
