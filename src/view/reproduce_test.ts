import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Cell } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { commandFor, quoted } from "./reproduce.ts";
import { DUEL } from "./testdata.ts";

const CELL = DUEL.cells[1] as Cell;
const of = (change: Partial<Report["config"]>, command?: string[]): string =>
  commandFor({
    ...DUEL,
    config: { ...DUEL.config, pinning: null, ...change },
    ...(command && { command: ["deno", "task", "bench", ...command] }),
  }, CELL);

Deno.test("commandFor asks for one cell as it was measured", () => {
  strictEqual(
    of({}),
    "deno task bench text --servers node --connections 10 --duration 1.5 --rounds 6 " +
      "--generator autocannon --seed 7",
  );
  const { pinning } = DUEL.config;
  const serverEnv = { DB_POOL: "25", CPU_WORKERS: "2", WORKERS: "4", OTHER: "x" };
  strictEqual(
    of({ warmupS: 2, shards: 4, workers: 4, pinning, serverEnv, seed: 8 }),
    "deno task bench text --servers node --connections 10 --duration 1.5 --warmup 2 --rounds 6 " +
      "--generator autocannon --shards 4 --workers 4 --pin --db-pool 25 --cpu-workers 2 --seed 8",
  );
});

Deno.test("commandFor names the load generator that drove the cell", () => {
  const [result] = DUEL.results;
  const results = result
    ? [{ ...result, trial: { ...result.trial, target: "node", generator: "wrk" } }]
    : [];
  strictEqual(/--generator (\w+)/.exec(commandFor({ ...DUEL, results }, CELL))?.[1], "wrk");
});

Deno.test("commandFor repeats the whole command where there is more than the suite's own", () => {
  for (
    const args of [
      ["--server", "my/server.json"],
      ["--server=my/server.json"],
      ["--scenario", "my.ts", "--servers", "deno"],
      ["http://127.0.0.1:3000/x", "-H", "authorization: ***"],
      ["--preset", "encore"],
      ["noise", "text"],
      ["versus", "--base", "main"],
    ]
  ) {
    strictEqual(of({}, args), quoted(["deno", "task", "bench", ...args]));
  }
});

Deno.test("quoted leaves nothing for a shell to understand", () => {
  deepStrictEqual(
    ["a", "it's", "$(x)", "a b", "", "-c", "1,2", "é"].map((text) => quoted([text])),
    ["a", "'it'\\''s'", "'$(x)'", "'a b'", "''", "-c", "1,2", "'é'"],
  );
});
