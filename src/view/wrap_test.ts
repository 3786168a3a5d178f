import { deepStrictEqual } from "node:assert/strict";
import { hanging, wrap, wrapLines } from "./wrap.ts";

Deno.test("wrap breaks between words, and indents what follows", () => {
  deepStrictEqual(wrap("one two three four", 9), ["one two", "  three", "  four"]);
  deepStrictEqual(wrap("one two", 7), ["one two"]);
  deepStrictEqual(wrap("", 7), [""]);
});

Deno.test("wrap leaves a long word whole", () => {
  deepStrictEqual(wrap("see /a/very/long/path now", 8), ["see", "  /a/very/long/path", "  now"]);
});

Deno.test("hanging puts a text behind its start, or below it if there is no room", () => {
  const text = "one two three four five six seven";
  deepStrictEqual(hanging("load  ", text, 36), [
    "load  one two three four five six",
    "      seven",
  ]);
  deepStrictEqual(hanging("load  ", text, 30), [
    "load",
    "    one two three four five",
    "    six seven",
  ]);
});

Deno.test("foldStacks wraps each line that is too long, and leaves the others as they are", () => {
  deepStrictEqual(wrapLines("a  table\n- one two three", 9), "a  table\n- one two\n  three");
  deepStrictEqual(wrapLines("  one two three", 10), "  one two\n    three");
});
