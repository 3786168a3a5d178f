import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { FILE } from "../../scenarios/web/static.ts";
import { get } from "../../scenarios/expect.ts";
import { headerDifferences, problemsOf, unaskedCoding } from "./unequal_work.ts";

const statements = (...calls: number[]) =>
  calls.map((perResponse, i) => ({ query: `SELECT ${i}`, perResponse }));
const ONE = { queries: 1, moreQueries: 0 };

Deno.test("only the number of statements of the contract is right", () => {
  const problems = (counts: number[], contract = ONE): string[] =>
    problemsOf({ statements: statements(...counts), connections: null }, contract, 10);
  deepStrictEqual(problems([1]), []);
  deepStrictEqual(problems([1, 1]), [
    "2 statements per response instead of 1 (1 × SELECT 0; 1 × SELECT 1)",
  ]);
  deepStrictEqual(problems([0.5]), ["0.5 statements per response instead of 1 (0.5 × SELECT 0)"]);
  deepStrictEqual(problems([]), ["0 statements per response instead of 1"]);
  const updates = { queries: 21, moreQueries: 19 };
  deepStrictEqual(problems([20, 1], updates), []);
  deepStrictEqual(problems([20, 20], updates), []);
  deepStrictEqual(problems([20], updates), [
    "20 statements per response instead of 21 to 40 (20 × SELECT 0)",
  ]);
  deepStrictEqual(problems([], { queries: 0, moreQueries: 0 }), []);
  deepStrictEqual(problemsOf({ statements: null, connections: null }, ONE, 10), []);
});

Deno.test("a pool has the size of the contract", () => {
  const problems = (connections: number): string[] =>
    problemsOf({ statements: statements(1), connections }, ONE, 10);
  deepStrictEqual(problems(10), []);
  deepStrictEqual(problems(9), ["9 connections to the database instead of 10"]);
  deepStrictEqual(problems(11), ["11 connections to the database instead of 10"]);
});

Deno.test("a coding is right only if the request accepts it", () => {
  const response = new Headers({ "content-encoding": "GZIP" });
  strictEqual(unaskedCoding(response, get("/")), "gzip");
  strictEqual(unaskedCoding(response, FILE), "gzip");
  strictEqual(unaskedCoding(response, { headers: { "Accept-Encoding": "br, gzip" } }), null);
  strictEqual(unaskedCoding(new Headers(), get("/")), null);
  strictEqual(unaskedCoding(new Headers({ "content-encoding": "identity" }), get("/")), null);
});

Deno.test("headers are compared with those that most responses have", () => {
  const [date, length, etag] = [{ date: "" }, { "content-length": "" }, { etag: "" }];
  deepStrictEqual(
    headerDifferences([{ ...date, ...length }, { ...date, ...length, ...etag }, date]),
    {
      usual: ["content-length", "date"],
      differences: [
        { further: [], lacking: [] },
        { further: ["etag"], lacking: [] },
        { further: [], lacking: ["content-length"] },
      ],
    },
  );
  // Of two servers, only a common header is usual
  deepStrictEqual(headerDifferences([etag, date]).usual, []);
  deepStrictEqual(headerDifferences([]), { usual: [], differences: [] });
});
