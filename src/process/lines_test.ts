import { deepStrictEqual } from "node:assert/strict";
import { TextLineStream } from "./lines.ts";

function linesOf(chunks: readonly string[], longest?: number): Promise<string[]> {
  return Array.fromAsync(ReadableStream.from(chunks).pipeThrough(new TextLineStream(longest)));
}

Deno.test("text becomes lines, in whatever pieces it comes", async () => {
  deepStrictEqual(await linesOf(["a\nb", "c\n\nd", "\n", "e"]), ["a", "bc", "", "d", "e"]);
  deepStrictEqual(await linesOf(["a\n"]), ["a"]);
  deepStrictEqual(await linesOf([""]), []);
});

Deno.test("a line that does not end comes in parts", async () => {
  const endless = Array.from({ length: 10 }, () => "abc");
  const lines = await linesOf([...endless, "\nnext"], 10);
  deepStrictEqual(lines, ["abcabcabcabc", "abcabcabcabc", "abcabc", "next"]);
});
