import { deepStrictEqual } from "node:assert/strict";
import { withoutSecrets } from "./recorder.ts";

Deno.test("a report does not repeat what headers say", () => {
  const args = ["http://127.0.0.1/", "-H", "authorization: Bearer x: y", "-d", "a: b"];
  deepStrictEqual(withoutSecrets([...args, "-Hcookie:z", "--header=k: v", "--header", "l: w"]), [
    "http://127.0.0.1/",
    "-H",
    "authorization: ***",
    "-d",
    "a: b",
    "-Hcookie: ***",
    "--header=k: ***",
    "--header",
    "l: ***",
  ]);
});
