import { ok, strictEqual } from "node:assert/strict";
import { markdownText } from "./markdown.ts";

Deno.test("text stays text in Markdown: no mark-up, nobody is mentioned, nothing is linked", () => {
  const cases: readonly (readonly [text: string, expected: string])[] = [
    ["a\n\n# b", "a \\# b"],
    ["<img src=x>", "&lt;img src=x>"],
    ["&lt;", "&amp;lt;"],
    ["![a](b)", "!\\[a\\](b)"],
    ["`x` *y* _z_ ~q~ a|b $m$", "\\`x\\` \\*y\\* \\_z\\_ \\~q\\~ a\\|b \\$m\\$"],
    ["@octocat", "\\@&#8203;octocat"],
    ["me@example.com", "me\\@&#8203;example.com"],
    ["owner/name#12, GH-12", "owner/name\\#&#8203;12, GH&#8203;-12"],
    ["https://a.example www.a.example", "https:&#8203;//a.example www&#8203;.a.example"],
    ["a\u200bb&#8203;", "ab&amp;\\#&#8203;8203;"],
  ];
  for (const [text, expected] of cases) strictEqual(markdownText(text), expected);
});

Deno.test("no escape of a person's own makes a mention of it", () => {
  for (
    const text of [
      "\\@octocat",
      "@\u200boctocat",
      "@\u0000octocat",
      "&commat;octocat",
      "&#64;octocat",
    ]
  ) {
    ok(!/(?<!&amp;)&(commat|#64)|@\w/.test(markdownText(text)), markdownText(text));
  }
});
