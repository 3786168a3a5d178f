import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Result } from "../model/derived.ts";
import type { ExperimentRecord } from "../model/experiment.ts";
import { commandFor, commandsFor, quoted, reportCommand, wholeCommand } from "./reproduce.ts";
import { DUEL } from "./report_testdata.ts";

const RESULT = DUEL.results[1] as Result;

/** Returns the command for a result of a report with another experiment or command. */
function of(change: Partial<ExperimentRecord>, command?: readonly string[]): string {
  return commandFor({
    ...DUEL,
    pinning: null,
    experiment: { ...DUEL.experiment, ...change },
    ...(command && { command: ["deno", "task", "bench", ...command] }),
  }, RESULT);
}

Deno.test("commandFor asks for one result as it was measured", () => {
  const plain = "deno task bench text --servers node --connections 10 --duration 1.5 --rounds 6 " +
    "--generator autocannon --no-slices --seed 7";
  strictEqual(of({}), plain);
  const { variants, load, design } = DUEL.experiment;
  const env = { DB_POOL: "25", CPU_WORKERS: "2", WORKERS: "4", OTHER: "x" };
  const experiment = {
    ...DUEL.experiment,
    variants: variants.map((variant) => variant.id === "node" ? { ...variant, env } : variant),
    load: { ...load, warmupS: 2, shards: 4 },
    design: { ...design, seed: 8 },
  };
  strictEqual(
    commandFor({ ...DUEL, experiment }, RESULT),
    "deno task bench text --servers node --connections 10 --duration 1.5 --warmup 2 --rounds 6 " +
      "--generator autocannon --shards 4 --workers 4 --no-slices --pin --db-pool 25 --cpu-workers 2 --seed 8",
  );
  const slices = { durationS: 0.5, sliceMs: 10, responses: 50 };
  strictEqual(of({ design: { ...design, slices } }), plain.replace(" --no-slices", ""));
  strictEqual(of({}, ["--servers", "noise", "text"]), plain, "a server may be called noise");
  strictEqual(
    of({ load: { ...load, tls: "http/1.1" } }),
    plain.replace("--no-slices", "--tls --no-slices"),
  );
  strictEqual(of({ load: { ...load, tls: "h2" } }), plain.replace("--no-slices", "--http2"));
});

Deno.test("commandsFor has one command for servers that were measured alike", () => {
  const [deno, node] = DUEL.results as [Result, Result];
  const of = (...results: Result[]): (string | undefined)[] =>
    commandsFor(DUEL, results).map((command) => /--servers (\S+)/.exec(command)?.[1]);
  deepStrictEqual(of(deno, node), ["deno,node"]);
  deepStrictEqual(of(deno, { ...node, rounds: 3 }), ["deno", "node"]);
});

Deno.test("commandFor names the load generator that drove the result", () => {
  const [trialResult] = DUEL.trialResults;
  const trialResults = trialResult
    ? [{ ...trialResult, trial: { ...trialResult.trial, variant: "node", generator: "wrk" } }]
    : [];
  strictEqual(/--generator (\w+)/.exec(commandFor({ ...DUEL, trialResults }, RESULT))?.[1], "wrk");
});

Deno.test("commandFor repeats the whole command where there is more than the suite's own", () => {
  for (
    const args of [
      ["--server", "my/server.json"],
      ["--mix", "db=80,updates=20"],
      ["--server=my/server.json"],
      ["--scenario", "my.ts", "--servers", "deno"],
      ["http://127.0.0.1:3000/x", "-H", "authorization: ***"],
    ]
  ) {
    strictEqual(of({}, args), quoted(["deno", "task", "bench", ...args]));
  }
});

Deno.test("wholeCommand leaves out the files that a command writes", () => {
  const program = ["npx", "stampede-bench@0.1.0"];
  const own = ["run", "--server", "shop/server.json", "--scenario", "shop/out.js"];
  const files = ["--markdown", "/runner/_temp/a/report.md", "--out=/runner/_temp/a/report.json"];
  const command = [
    ...program,
    ...own,
    ...files,
    "--html",
    "--out.html",
    "--csv",
    "a b.csv",
    "--resume",
    "mine.json",
    "-z",
    "1",
  ];
  strictEqual(wholeCommand({ program, command }), quoted([...program, ...own, "-z", "1"]));
});

Deno.test("commandFor repeats the whole command of another kind of experiment, wherever it is named", () => {
  for (const kind of ["noise", "versus", "generators", "preset"] as const) {
    const args = ["--seed", "7", "text"];
    strictEqual(of({ kind }, args), quoted(["deno", "task", "bench", ...args]), kind);
  }
});

Deno.test("quoted leaves nothing for a shell to understand", () => {
  deepStrictEqual(
    ["a", "it's", "$(x)", "a b", "", "-c", "1,2", "é"].map((text) => quoted([text])),
    ["a", "'it'\\''s'", "'$(x)'", "'a b'", "''", "-c", "1,2", "'é'"],
  );
});

Deno.test("reportCommand names a file that is not the newest one, as a shell takes it", () => {
  const program = ["deno", "task", "bench"];
  strictEqual(reportCommand(program, null, "--wide"), "deno task bench report --wide");
  strictEqual(
    reportCommand(program, "my runs/a.json", "--explain", "text,json"),
    "deno task bench report 'my runs/a.json' --explain text,json",
  );
});
