import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { printable, shown, toJson } from "./text.ts";

const HOSTILE = "a\x1b]0;t\x07b\x9b2Jc\u202ed\u2069e\rf\x7f";
const PLAIN = "a\ufffd]0;t\ufffdb\ufffd2Jc\ufffdd\ufffde\ufffdf\ufffd";

Deno.test("printable replaces what steers a terminal, and nothing else", () => {
  strictEqual(printable(HOSTILE), PLAIN);
  const text = "é 日本 עברית \u200f🙂\tx\ny";
  strictEqual(printable(text), text);
  strictEqual(printable("a\r\nb"), "a\nb");
});

Deno.test("shown keeps Stampede's own styles, if there are any, and the ends of lines", () => {
  const styled = `\x1b[1m${HOSTILE}\x1b[0m \x1b[1;31mred\x1b[39m\r\nx`;
  strictEqual(shown(styled, true), `\x1b[1m${PLAIN}\x1b[0m \x1b[1;31mred\x1b[39m\r\nx`);
  strictEqual(shown("\x1b[1mb\x1b[0m\r\n", false), "\ufffd[1mb\ufffd[0m\r\n");
  // Concealed, blinking and background styles, and sequences that are not styles
  for (const code of ["8", "5", "41", "1;8", "38;5;1", "", "1"]) {
    const text = `\x1b[${code}${code === "1" ? "J" : "m"}`;
    strictEqual(shown(text, true), text.replace("\x1b", "\ufffd"));
  }
});

Deno.test("toJson escapes what steers a terminal, and means the same", () => {
  const value = { [HOSTILE]: [HOSTILE, 1, null] };
  deepStrictEqual(JSON.parse(toJson(value)), value);
  strictEqual(printable(toJson(value)), toJson(value));
  strictEqual(toJson({ a: 1 }, 1), '{\n "a": 1\n}');
});
