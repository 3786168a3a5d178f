import { rejects, strictEqual } from "node:assert/strict";
import { LONGEST_BODY, textOf } from "./body.ts";

/** An answer whose body comes in pieces of a megabyte, for ever. */
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
