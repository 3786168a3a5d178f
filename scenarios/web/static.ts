import { Mismatch } from "../../src/model/errors.ts";
import type { HttpResponse, Scenario } from "../../src/model/scenario.ts";
import { check, expectHead, expectType, get } from "../expect.ts";
import { USUAL } from "../usual.ts";

/** The request for the file. `identity` makes every server send it uncompressed. */
export const FILE = { ...get("/static/words.txt"), headers: { "accept-encoding": "identity" } };

/** Contents of the file; null until the first check of this scenario reads it. */
let words: string | null = null;

function expect(response: HttpResponse): void {
  expectType(response, "text/plain");
  words ??= Deno.readTextFileSync(new URL("../../public/words.txt", import.meta.url));
  if (response.text === words) return;
  const { length } = response.text;
  throw new Mismatch(
    `the ${words.length} bytes of the file`,
    length === words.length ? "other bytes of the same number" : `${length} bytes`,
  );
}

/** A file of 100 kB. */
export const staticFile: Scenario = {
  ...USUAL,
  id: "static",
  title: "a file of 100 kB",
  request: FILE,
  checks: [
    check("returns the file", FILE, expect),
    {
      name: "answers 304 if the client has the file",
      async run(ask): Promise<void> {
        const whole = await ask(FILE);
        expect(whole);
        const etag = whole.headers.get("etag");
        if (etag === null) throw new Mismatch("the header etag", "none");
        const known = { ...FILE, headers: { ...FILE.headers, "if-none-match": etag } };
        const empty = await ask(known);
        expectHead(empty, 304);
        if (empty.text !== "") throw new Mismatch("304 without a body", "a body");
        const other = { ...FILE, headers: { ...FILE.headers, "if-none-match": '"another"' } };
        expect(await ask(other));
      },
    },
    check("answers 404 for a missing file", get("/static/nothing.txt"), (response) => {
      expectHead(response, 404);
    }),
  ],
  expect,
  isDefault: false,
};
