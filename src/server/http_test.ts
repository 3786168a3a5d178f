import { strictEqual, throws } from "node:assert/strict";
import { booleanParameter, type HttpError, integerParameter, parameter } from "./http.ts";

const RULE = { min: 2, max: 100, fallback: 7 };

Deno.test("parameter reads what URLSearchParams would", () => {
  const queries = ["", "?", "?a", "?a=", "?a=1", "?b=2&a=1", "?ab=2&a=1", "?a=1&a=2", "?b=a=1"];
  queries.push("?b&a", "?a=x%20y", "?%61=1", "?a=x+y", "?a=1&b=%", "?&a=3", "?a=b=c");
  for (const query of queries) {
    const expected = new URLSearchParams(query).get("a") ?? undefined;
    strictEqual(parameter(`http://host/path${query}`, "a"), expected, query);
  }
});

Deno.test("integerParameter takes whole numbers in range, or its fallback", () => {
  strictEqual(integerParameter("/x", "n", RULE), 7);
  strictEqual(integerParameter("/x?n=2", "n", RULE), 2);
  strictEqual(integerParameter("/x?n=100", "n", RULE), 100);
});

Deno.test("integerParameter says what is allowed", () => {
  for (const value of ["", "1", "101", "2.5", "-3", "1e1", "0x10", "abc", "%32%33%"]) {
    throws(() => integerParameter(`/x?n=${value}`, "n", RULE), (error: HttpError) => {
      strictEqual(error.status, 400);
      strictEqual(error.message, 'The parameter "n" must be a whole number from 2 to 100');
      return true;
    }, value);
  }
});

Deno.test("booleanParameter is true unless it is false", () => {
  strictEqual(booleanParameter("/x", "on"), true);
  strictEqual(booleanParameter("/x?on=true", "on"), true);
  strictEqual(booleanParameter("/x?on=false", "on"), false);
  throws(() => booleanParameter("/x?on=yes", "on"), /must be true or false/);
});
