import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { json } from "../../scenarios/json.ts";
import { text } from "../../scenarios/text.ts";
import type { VariantFigures } from "../analysis/slices_testdata.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import type { Variant } from "../model/experiment.ts";
import type { Server } from "../model/server.ts";
import { runLogged } from "./testbed_testdata.ts";

const A = variantOf("a", [text, json]);
const B = variantOf("b", [text]);
const SLICES = { durationS: 1, sliceMs: 10, responses: 50 };

Deno.test("run measures slices of servers that are alive at once, and of the reference", async () => {
  const usual = experimentOf([A, B], [text], { rounds: 6, maxRounds: 6, slices: SLICES });
  const reference = { ...variantOf("bare", [text]), id: "reference" };
  const slices = (variant: string): VariantFigures => ({ cpuUs: { a: 12, b: 24 }[variant] ?? 10 });
  const { report, log } = await runLogged({ ...usual, reference }, { slices });
  const first = log.slice(log.indexOf("slices of a, b, reference") - 3);
  deepStrictEqual(first.slice(0, 3).toSorted(), ["launch a", "launch b", "launch bare"]);
  deepStrictEqual(first.slice(4, 7).toSorted(), ["stop a", "stop b", "stop bare"]);
  strictEqual(report?.blocks.length, 6);
  deepStrictEqual(
    report.results.map(({ variant, relativeCpu }) => [variant, relativeCpu?.ratio.toFixed(2)]),
    [
      ["a", "1.20"],
      ["b", "2.40"],
    ],
  );
  deepStrictEqual(report.comparisons.map(({ method, rounds }) => [method, rounds]), [[
    "slices",
    6,
  ]]);
});

Deno.test("run says that there is no reference, and measures everything else", async () => {
  const reference = { ...variantOf("bare", [text]), id: "reference" };
  for (
    const [options, reason] of [
      [{ skipped: { bare: "deno not found" } }, "skipped: deno not found"],
      [{ failures: { bare: "no compiler" } }, "no compiler"],
    ] as const
  ) {
    const experiment = experimentOf([A], [text], { rounds: 1, maxRounds: 1, slices: SLICES });
    const { events, report } = await runLogged({ ...experiment, reference }, options);
    const notes = events.flatMap((event) => event.kind === "note" ? [event.note] : []);
    deepStrictEqual(notes, [{ kind: "no-reference", server: "Name of bare", reason }]);
    deepStrictEqual(report?.results.map(({ status, relativeCpu }) => [status, relativeCpu]), [[
      "ok",
      null,
    ]]);
  }
});

Deno.test("a server that does not start is left out of its slices, and the others go on", async () => {
  const variants = [A, B, variantOf("c", [text])];
  const usual = experimentOf(variants, [text], {
    rounds: 1,
    maxRounds: 1,
    ratiosOnly: true,
    slices: SLICES,
  });
  const launchProblem = ({ id }: Server): string | null => id === "b" ? "it hung" : null;
  const { report, log } = await runLogged(usual, { launchProblem });
  const [block] = report?.blocks ?? [];
  deepStrictEqual(block?.failures, [{ variant: "b", kind: "start", message: "it hung" }]);
  deepStrictEqual(block.slices?.variants.map(({ variant }) => variant).toSorted(), ["a", "c"]);
  ok(log.some((line) => line === "slices of a, c" || line === "slices of c, a"));
});

const HOPELESS = {
  rounds: 2,
  maxRounds: 9,
  budgetS: 3600,
  ratiosOnly: true,
  slices: SLICES,
} as const;

Deno.test("a server whose response is wrong has no slices, and gets no other rounds", async () => {
  const respond = (): Response => new Response("wrong");
  const { report, log } = await runLogged(experimentOf([A, B], [text], HOPELESS), { respond });
  const [first, second, ...others] = report?.blocks ?? [];
  strictEqual(first?.slices, null);
  deepStrictEqual(first.failures.map(({ kind }) => kind), ["verification", "verification"]);
  deepStrictEqual([second?.slices, others], [null, []]);
  const inOrder = ({ failures }: { failures: readonly { variant: string }[] }): unknown[] =>
    failures.toSorted((a, b) => a.variant.localeCompare(b.variant));
  deepStrictEqual(second && inOrder(second), inOrder(first), "for the same reason");
  strictEqual(
    log.filter((line) => line.startsWith("launch")).length,
    2,
    "in the first round alone",
  );
});

Deno.test("a server that does not start at first is not tried again, nor given more rounds", async () => {
  const launchProblem = ({ id }: Server): string | null => id === "b" ? "it hung" : null;
  const { report, log } = await runLogged(experimentOf([A, B], [text], HOPELESS), {
    launchProblem,
  });
  strictEqual(report?.blocks.length, 2);
  deepStrictEqual(log.filter((line) => line === "launch b"), ["launch b"]);
});

Deno.test("one server is measured in slices by the process that its windows had", async () => {
  const usual = experimentOf([A], [text, json], { rounds: 2, maxRounds: 2, slices: SLICES });
  const reference = { ...variantOf("bare", [text]), id: "reference" };
  const { report, log } = await runLogged({ ...usual, reference });
  const own = log.filter((line) => /^(launch|stop|slices)/.test(line));
  const block = "slices of a, reference";
  const round = ["launch a", "launch bare", block, block, "stop bare", "stop a"];
  deepStrictEqual(own, [...round, ...round]);
  const warmups = report?.blocks.map(({ block: { warmupS } }) => warmupS);
  deepStrictEqual(warmups, [0.5, 0.2, 0.5, 0.2], "the first warms up the reference");
});

Deno.test("several servers, or one with a long warm-up, have fresh processes at each scenario", async () => {
  const slow = { ...A, server: { ...A.server, warmupS: 0.6 } };
  const other = variantOf("b", [text, json]);
  const reference = { ...variantOf("bare", [text]), id: "reference" };
  const starts = async (variants: readonly Variant[], ratiosOnly: boolean): Promise<string[]> => {
    const usual = experimentOf(variants, [text, json], {
      rounds: 1,
      maxRounds: 1,
      slices: SLICES,
      ratiosOnly,
    });
    const { log } = await runLogged({ ...usual, reference });
    return log.filter((line) => /^(launch|slices)/.test(line)).map((line) =>
      line.split(" ")[0] ?? ""
    );
  };
  const each = ["launch", "launch", "slices"];
  deepStrictEqual(await starts([slow], false), [...each, ...each]);
  // Two starts for windows; then both servers and the reference start for slices.
  const ofTwo = ["launch", "launch", "launch", "launch", "launch", "slices"];
  deepStrictEqual(await starts([A, other], false), [...ofTwo, ...ofTwo]);
  deepStrictEqual(
    await starts([slow, other], true),
    ["launch", "launch", "launch", "slices", "slices"],
    "revisions keep their processes",
  );
});

Deno.test("a server that does not start for its windows is not tried again for its slices", async () => {
  const variants = [A, B, variantOf("c", [text])];
  const once = experimentOf(variants, [text], { rounds: 1, maxRounds: 1, slices: SLICES });
  const launchProblem = ({ id }: Server): string | null => id === "b" ? "it hung" : null;
  const { report, log } = await runLogged(once, { launchProblem });
  deepStrictEqual(log.filter((line) => line === "launch b"), ["launch b"]);
  const [block] = report?.blocks ?? [];
  deepStrictEqual(block?.failures, [{ variant: "b", kind: "start", message: "it hung" }]);
  deepStrictEqual(block.slices?.variants.map(({ variant }) => variant).toSorted(), ["a", "c"]);
});
