import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { hideQueries, hideQuery, hideSecrets } from "./secrets.ts";

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

Deno.test("hideQueries finds the URLs in a text", () => {
  strictEqual(
    hideQueries("error sending request for url (http://127.0.0.1:9/x?token=t): refused"),
    "error sending request for url (http://127.0.0.1:9/x?token=***): refused",
  );
  strictEqual(hideQueries("no URL? none"), "no URL? none");
});
