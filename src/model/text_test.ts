import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { hideQuery, hideSecrets, hideUrl, hideUrls, printable, shown, toJson } from "./text.ts";

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

Deno.test("hideSecrets hides what headers, bodies and queries say, and no more", () => {
  const cases: readonly (readonly [given: string, hidden: string])[] = [
    ["http://127.0.0.1/orders?key=s3cret&page=2", "http://127.0.0.1/orders?key=***&page=***"],
    ["-Hcookie:z", "-Hcookie: ***"],
    ["--header=k: v", "--header=k: ***"],
    ["-d{}", "-d***"],
    ["--data=a=b", "--data=***"],
    ["--data=@body.json", "--data=@body.json"],
    ["--duration", "--duration"],
    ["text", "text"],
  ];
  deepStrictEqual(hideSecrets(cases.map(([given]) => given)), cases.map(([, hidden]) => hidden));
  deepStrictEqual(
    hideSecrets([
      "-H",
      "authorization: Bearer x: y",
      "--header",
      "l: w",
      "-d",
      "a: b",
      "--data",
      "@f",
    ]),
    ["-H", "authorization: ***", "--header", "l: ***", "-d", "***", "--data", "@f"],
  );
});

Deno.test("hideQuery keeps the names of parameters", () => {
  strictEqual(hideQuery("/a"), "/a");
  strictEqual(hideQuery("/a?b=c&d=&e"), "/a?b=***&d=***&***");
});

Deno.test("hideUrl keeps neither user nor password", () => {
  strictEqual(hideUrl("http://me:s3@a/b@c?d=e"), "http://***@a/b@c?d=***");
  strictEqual(hideUrl("me:s3@a/b?c"), "***@a/b?***");
  strictEqual(hideUrl("http://a:80/b@c"), "http://a:80/b@c");
  strictEqual(hideUrl("https://t0ken@a/b"), "https://***@a/b");
});

Deno.test("hideUrl keeps the role of a database", () => {
  strictEqual(hideUrl("postgres://me:s3@a:5432/b"), "postgres://me:***@a:5432/b");
  strictEqual(hideUrl("postgresql://me:s/3@x@a/b?c=d"), "postgresql://me:***@a/b?c=***");
  strictEqual(hideUrl("postgres://:s3@a/b"), "postgres://:***@a/b");
  strictEqual(hideUrl("postgres://me@a/b"), "postgres://me@a/b");
});

Deno.test("hideUrls finds the URLs in a text", () => {
  strictEqual(
    hideUrls("error sending request for url (http://127.0.0.1:9/x?token=t): refused"),
    "error sending request for url (http://127.0.0.1:9/x?token=***): refused",
  );
  strictEqual(
    hideUrls("at 'postgres://me:s3@[::1]:5432/db', or me@a"),
    "at 'postgres://me:***@[::1]:5432/db', or me@a",
  );
  strictEqual(hideUrls("no URL? none"), "no URL? none");
});
