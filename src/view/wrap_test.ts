import { deepStrictEqual } from "node:assert/strict";
import { wrap } from "./wrap.ts";

Deno.test("wrap breaks between words, and indents what follows", () => {
  deepStrictEqual(wrap("one two three four", 9), ["one two", "  three", "  four"]);
  deepStrictEqual(wrap("one two", 7), ["one two"]);
  deepStrictEqual(wrap("", 7), [""]);
});

Deno.test("wrap leaves a long word whole", () => {
  deepStrictEqual(wrap("see /a/very/long/path now", 8), ["see", "  /a/very/long/path", "  now"]);
});
