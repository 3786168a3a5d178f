/**
 * Answers `/` and uses more and more memory under load, unless the file SEEN exists. It creates the file, so
 * only its first process is greedy.
 */
const BYTES = 20e6;
/** More than the number of requests before a load. */
const LOADED = 200;

const seen = Deno.env.get("SEEN") ?? "";
const isSeen = await Deno.stat(seen).then(() => true, () => false);
const taken: Uint8Array[] = [];
let count = 0;

Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.env.get("PORT")) }, () => {
  if (!isSeen && ++count === LOADED) Deno.writeTextFileSync(seen, "");
  if (!isSeen && count > LOADED) taken.push(new Uint8Array(BYTES).fill(1));
  return new Response("Hello world", { headers: { "content-type": "text/plain;charset=UTF-8" } });
});
