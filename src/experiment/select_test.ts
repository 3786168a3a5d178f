import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { SCENARIOS } from "../../scenarios/mod.ts";
import type { Server } from "../model/server.ts";
import { readMix, withCombinations } from "./select.ts";

Deno.test("a mix is what its parts are, as often as their weights say", () => {
  const mix = readMix("db=80, updates=20 %");
  strictEqual(mix.id, "mix-db80-updates20");
  strictEqual(mix.title, "80 % db, 20 % updates");
  deepStrictEqual([mix.queries, mix.writes, mix.warmupS], [0.8 + 0.2 * 21, 4, 1.25]);
  deepStrictEqual(mix.mix?.map(({ scenario, weight }) => [scenario.id, weight]), [
    ["db", 80],
    ["updates", 20],
  ]);
  ok(mix.checks.every(({ name }) => /^(db|updates): /.test(name)));
  strictEqual(readMix("text=1,json=2").id, "mix-text33.3-json66.7");
});

Deno.test("what cannot be mixed is refused in a line", () => {
  const cases: readonly (readonly [text: string, says: RegExp])[] = [
    ["db", /^Cannot read "db" of --mix: write it as db=80,updates=20$/],
    ["db=80", /^Cannot mix fewer than two scenarios$/],
    ["db=80,updates=-1", /^Cannot read "updates=-1" of --mix/],
    ["db=80,updates=0", /^Cannot mix updates: its weight is 0$/],
    ["db=80,updaets=20", /^Cannot read --mix: there is no scenario "updaets"$/],
    ["db=80,websocket=20", /^Cannot mix websocket with others: it sends messages/],
    ["db=80,plaintext=20", /^Cannot mix plaintext with others: it sends several/],
    ["db=80,delay=20", /^Cannot mix delay with others: its responses come in waves$/],
    ["db=80,isolation=20", /^Cannot mix isolation with others: it consists of several/],
  ];
  for (const [text, message] of cases) {
    throws(() => readMix(text), { name: "UsageError", message }, text);
  }
});

Deno.test("a server that answers every part of a mix answers the mix", () => {
  const mix = readMix("db=80,updates=20");
  const server = (...ids: string[]): Server =>
    ({ scenarios: Object.fromEntries(ids.map((id) => [id, {}])) }) as unknown as Server;
  const scenarios = [...SCENARIOS, mix];
  ok(mix.id in withCombinations(server("db", "updates"), scenarios).scenarios);
  ok(!(mix.id in withCombinations(server("db"), scenarios).scenarios));
});
