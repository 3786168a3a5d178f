import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { json } from "../../scenarios/json.ts";
import { text } from "../../scenarios/text.ts";
import { armOf, experimentOf } from "../experiment/testdata.ts";
import type { Event } from "../model/events.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import type { Shown } from "../analysis/testdata.ts";
import type { Server } from "../model/server.ts";
import { run } from "./run.ts";
import { FakeLab, type FakeOptions, measurementOf } from "./testdata.ts";

const A = armOf("a", [text, json]);
const B = armOf("b", [text]);
const SLICES = { durationS: 1, sliceMs: 10, answers: 50 };

interface Told {
  readonly events: readonly Event[];
  /** The last one. */
  readonly report: Report | undefined;
  readonly log: readonly string[];
  readonly error: unknown;
}

async function told(
  experiment: Experiment,
  options: FakeOptions = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Told> {
  const lab = new FakeLab(options);
  const events: Event[] = [];
  let error: unknown = null;
  try {
    for await (const event of run(experiment, lab, signal)) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  const reports = events.flatMap((event) => event.kind === "report" ? [event.report] : []);
  return { events, report: reports.at(-1), log: lab.log, error };
}

const kindsOf = ({ events }: Told): string => events.map(({ kind }) => kind).join(" ");

Deno.test("run tells the plan, each window with a report before it, and the whole report", async () => {
  const outcome = await told(experimentOf([A], [text], { rounds: 2, maxRounds: 2 }));
  const window = "start report result";
  strictEqual(kindsOf(outcome), `plan ${window} ${window} report`);
  strictEqual(outcome.error, null);
  const { report } = outcome;
  deepStrictEqual([report?.complete, report?.results.length], [true, 2]);
  strictEqual(report?.experiment.kind, "run");
  strictEqual(report?.cells[0]?.requestsPerS?.median, 1000);
  deepStrictEqual(report?.versions, { stampede: "0.1.0", deno: "2.9.6", autocannon: "1.0" });
  deepStrictEqual(outcome.log, [
    'open {"database":false,"databaseConnections":10,"pins":false}',
    "load with autocannon",
    "launch a",
    "autocannon /",
    "stop a",
    "launch a",
    "autocannon /",
    "stop a",
    "unload",
    "close",
  ]);
});

Deno.test("run leaves out servers that cannot be had, and says why in the report", async () => {
  const options = { skipped: { b: "bun not found" } };
  const { report, error } = await told(experimentOf([A, B], [text]), options);
  strictEqual(error, null);
  deepStrictEqual(report?.servers.map(({ id, skipped }) => [id, skipped]), [
    ["a", null],
    ["b", "bun not found"],
  ]);
  deepStrictEqual([...new Set(report?.results.map(({ trial }) => trial.arm))], ["a"]);
});

Deno.test("run measures nothing without a server, or without every one that is needed", async () => {
  const options = { skipped: { b: "bun not found" }, failures: { a: "no compiler" } };
  const none = await told(experimentOf([A, B], [text]), options);
  strictEqual(
    String(none.error),
    "Failure: There is no server to measure\na: no compiler\nb: skipped: bun not found",
  );
  deepStrictEqual(none.events, []);
  strictEqual(none.log.at(-1), "close");
  const both = await told(experimentOf([A, B], [text], { needsAll: true }), {
    skipped: { b: "bun not found" },
  });
  strictEqual(String(both.error).split("\n")[1], "b: skipped: bun not found");
});

Deno.test("run keeps what was measured when it is stopped, and closes everything", async () => {
  const stop = new AbortController();
  let windows = 0;
  const measure: FakeOptions["measure"] = () => {
    if (++windows === 2) stop.abort(new Error("Ctrl-C"));
    return measurementOf(1000);
  };
  const { report, error, log } = await told(experimentOf([A], [text]), { measure }, stop.signal);
  strictEqual(String(error), "Error: Ctrl-C");
  deepStrictEqual([report?.complete, report?.results.length], [false, 1]);
  deepStrictEqual(log.slice(-3), ["stop a", "unload", "close"]);
});

Deno.test("run ends when nothing more can be measured", async () => {
  let checks = 0;
  const unsound = (): string | null => ++checks === 2 ? "PostgreSQL was killed" : null;
  const { report, error } = await told(experimentOf([A], [text]), { unsound });
  strictEqual(String(error), "Failure: PostgreSQL was killed");
  deepStrictEqual([report?.complete, report?.results.length], [false, 2]);
});

Deno.test("run goes on after a failed window, and after a server that does not start", async () => {
  let windows = 0;
  const measure: FakeOptions["measure"] = () => {
    if (++windows === 1) throw new Error("the generator was killed");
    return measurementOf(1000);
  };
  const launchProblem: FakeOptions["launchProblem"] = ({ id }) => id === "b" ? "no licence" : null;
  const { report } = await told(experimentOf([A, B], [text]), { measure, launchProblem });
  deepStrictEqual(
    report?.cells.map((
      { arm, status, rounds, failedRounds },
    ) => [arm, status, rounds, failedRounds]),
    [["a", "ok", 2, 1], ["b", "failed", 0, 1]],
  );
  deepStrictEqual(report?.cells[1]?.reason, { kind: "told", text: "no licence" });
});

Deno.test("run stops working when its events are not taken any more", async () => {
  const lab = new FakeLab();
  for await (const event of run(experimentOf([A], [text]), lab, new AbortController().signal)) {
    if (event.kind === "result") break;
  }
  deepStrictEqual(lab.log.slice(-3), ["stop a", "unload", "close"]);
  strictEqual(lab.log.filter((line) => line === "launch a").length, 1);
});

Deno.test("run says how to get a load generator that is not here, before it starts anything", async () => {
  const arm = { ...A, generator: "wrk" };
  const { error, log } = await told(experimentOf([arm], [text]));
  strictEqual(String(error), "UsageError: The load generator wrk is not here: get it");
  deepStrictEqual(log, []);
});

Deno.test("run drives each arm with its own load generator, and auto with the fastest", async () => {
  const options = { present: ["autocannon", "wrk", "ab"], ceilings: { wrk: 2000, ab: 9000 } };
  const own = [{ ...A, id: "x", generator: "wrk" }, { ...A, id: "y" }];
  const { report } = await told(experimentOf(own, [text], { rounds: 1, maxRounds: 1 }), options);
  const drivers = new Map(report?.results.map(({ trial }) => [trial.arm, trial.generator]));
  deepStrictEqual([drivers.get("x"), drivers.get("y")], ["wrk", "autocannon"]);
  deepStrictEqual(report?.generators.map(({ id }) => id), ["wrk", "autocannon"]);

  const auto = await told(experimentOf([{ ...A, generator: "auto" }], [text]), options);
  strictEqual(auto.report?.experiment.arms[0]?.generator, "auto", "what was asked for stays");
  deepStrictEqual(auto.report?.generators.map(({ id }) => id), ["wrk"], "ab speaks HTTP/1.0");
  const notes = auto.events.flatMap((event) => event.kind === "note" ? [event.note.kind] : []);
  deepStrictEqual(notes, ["ceiling", "ceiling", "loading"]);
  const both = [{ ...A, generator: "auto" }, { ...B, generator: "auto" }];
  const ratios = experimentOf(both, [text], { slices: SLICES, ratiosOnly: true });
  const sliced = await told(ratios, options);
  deepStrictEqual([sliced.report?.generators, sliced.report?.blocks.length], [[], 3]);
  ok(sliced.events.every(({ kind }) => kind !== "note"), "no window needs the fastest");
});

Deno.test("another load generator takes over where the default one would be the limit", async () => {
  const options: FakeOptions = {
    present: ["autocannon", "stampede"],
    ceiling: ({ request }, id) => id === "autocannon" && request.path === "/" ? 1000 : 9000,
  };
  const design = { rounds: 2, maxRounds: 2, fallback: "stampede" };
  const { report, events } = await told(experimentOf([A], [text, json], design), options);
  const drivers =
    report?.results.map(({ trial: { purpose, scenario, generator } }) =>
      `${purpose} ${scenario} ${generator}`
    ) ?? [];
  deepStrictEqual(drivers.slice(0, 2).toSorted(), [
    "probe json autocannon",
    "probe text autocannon",
  ]);
  deepStrictEqual([...new Set(drivers.slice(2))].toSorted(), [
    "measure json autocannon",
    "measure text stampede",
  ]);
  deepStrictEqual(
    report?.cells.map(({ scenario, rounds, isTakenOver }) => [
      scenario,
      rounds,
      isTakenOver,
    ]),
    [["text", 2, true], ["json", 2, false]],
  );
  deepStrictEqual(report?.generators.map(({ id }) => id), ["autocannon", "stampede"]);
  const notes = events.flatMap((event) => event.kind === "note" ? [event.note] : []);
  deepStrictEqual(notes, [{ kind: "taken-over", scenarios: ["text"], generator: "stampede" }]);

  const calm = await told(experimentOf([A], [json], design), options);
  deepStrictEqual(calm.report?.generators.map(({ id }) => id), ["autocannon"]);
  ok(calm.events.every(({ kind }) => kind !== "note"));
});

Deno.test("a run that is stopped while it probes has measured nothing yet", async () => {
  let looks = 0;
  const options: FakeOptions = {
    present: ["autocannon", "stampede"],
    unsound: () => ++looks === 1 ? null : "PostgreSQL was killed",
  };
  const design = { rounds: 1, maxRounds: 1, fallback: "stampede" };
  const { report, error } = await told(experimentOf([A], [text, json], design), options);
  ok(error !== null);
  strictEqual(report, undefined, "a probe is nothing to keep");
});

Deno.test("run refuses what no server implements, and what a load generator cannot do", async () => {
  const nothing = await told(experimentOf([armOf("a", [json])], [text]));
  strictEqual(String(nothing.error), "UsageError: No server implements any of the scenarios");
  const ab = { ...A, generator: "ab" };
  const { error } = await told(experimentOf([ab], [text], { shards: 2 }), { present: ["ab"] });
  strictEqual(
    String(error),
    "UsageError: ab cannot be told how many --shards to use: choose another --generator",
  );
});

Deno.test("run of the kind noise compares its two arms", async () => {
  let windows = 0;
  const measure: FakeOptions["measure"] = () => measurementOf(1000 + windows++);
  const arms = [A, { ...A, id: "a-again" }];
  const experiment = experimentOf(arms, [text], { rounds: 6, maxRounds: 6 });
  const { report } = await told({ ...experiment, kind: "noise" }, { measure });
  strictEqual(report?.noise[0]?.requestsPerS?.rounds, 6);
  deepStrictEqual((await told(experiment)).report?.noise, []);
});

Deno.test("a stream waits until what it told has been dealt with", async () => {
  const lab = new FakeLab();
  const events = run(experimentOf([A], [text]), lab, new AbortController().signal);
  await events.next(); // the plan
  const before = lab.log.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  strictEqual(lab.log.length, before, "nothing is started meanwhile");
  await events.return();
});

Deno.test("run measures slices of servers that are alive at once, and of the reference", async () => {
  const usual = experimentOf([A, B], [text], { rounds: 6, maxRounds: 6, slices: SLICES });
  const reference = { ...armOf("bare", [text]), id: "reference" };
  const slices = (arm: string): Shown => ({ cpuUs: { a: 12, b: 24 }[arm] ?? 10 });
  const { report, log } = await told({ ...usual, reference }, { slices });
  const first = log.slice(log.indexOf("slices of a, b, reference") - 3);
  deepStrictEqual(first.slice(0, 3).toSorted(), ["launch a", "launch b", "launch bare"]);
  deepStrictEqual(first.slice(4, 7).toSorted(), ["stop a", "stop b", "stop bare"]);
  strictEqual(report?.blocks.length, 6);
  deepStrictEqual(report.cells.map(({ arm, cost }) => [arm, cost?.ratio.toFixed(2)]), [
    ["a", "1.20"],
    ["b", "2.40"],
  ]);
  deepStrictEqual(report.comparisons.map(({ method, rounds }) => [method, rounds]), [[
    "slices",
    6,
  ]]);
});

Deno.test("run says that there is no reference, and measures everything else", async () => {
  const reference = { ...armOf("bare", [text]), id: "reference" };
  for (
    const [options, reason] of [
      [{ skipped: { bare: "deno not found" } }, "skipped: deno not found"],
      [{ failures: { bare: "no compiler" } }, "no compiler"],
    ] as const
  ) {
    const experiment = experimentOf([A], [text], { rounds: 1, maxRounds: 1, slices: SLICES });
    const { events, report } = await told({ ...experiment, reference }, options);
    const notes = events.flatMap((event) => event.kind === "note" ? [event.note] : []);
    deepStrictEqual(notes, [{ kind: "no-reference", server: "Name of bare", reason }]);
    deepStrictEqual(report?.cells.map(({ status, cost }) => [status, cost]), [["ok", null]]);
  }
});

Deno.test("a server that does not start is left out of its slices, and the others go on", async () => {
  const arms = [A, B, armOf("c", [text])];
  const usual = experimentOf(arms, [text], {
    rounds: 1,
    maxRounds: 1,
    ratiosOnly: true,
    slices: SLICES,
  });
  const launchProblem = ({ id }: Server): string | null => id === "b" ? "it hung" : null;
  const { report, log } = await told(usual, { launchProblem });
  const [block] = report?.blocks ?? [];
  deepStrictEqual(block?.failures, [{ arm: "b", kind: "start", message: "it hung" }]);
  deepStrictEqual(block.slices?.arms.map(({ arm }) => arm).toSorted(), ["a", "c"]);
  ok(log.some((line) => line === "slices of a, c" || line === "slices of c, a"));
});

const HOPELESS = {
  rounds: 2,
  maxRounds: 9,
  budgetS: 3600,
  ratiosOnly: true,
  slices: SLICES,
} as const;

Deno.test("a server whose answer is wrong has no slices, and gets no other rounds", async () => {
  const answer = (): Response => new Response("wrong");
  const { report, log } = await told(experimentOf([A, B], [text], HOPELESS), { answer });
  const [first, second, ...others] = report?.blocks ?? [];
  strictEqual(first?.slices, null);
  deepStrictEqual(first.failures.map(({ kind }) => kind), ["verification", "verification"]);
  deepStrictEqual([second?.slices, others], [null, []]);
  const inOrder = ({ failures }: { failures: readonly { arm: string }[] }): unknown[] =>
    failures.toSorted((a, b) => a.arm.localeCompare(b.arm));
  deepStrictEqual(second && inOrder(second), inOrder(first), "for the same reason");
  strictEqual(
    log.filter((line) => line.startsWith("launch")).length,
    2,
    "in the first round alone",
  );
});

Deno.test("a server that does not start at first is not tried again, nor given more rounds", async () => {
  const launchProblem = ({ id }: Server): string | null => id === "b" ? "it hung" : null;
  const { report, log } = await told(experimentOf([A, B], [text], HOPELESS), { launchProblem });
  strictEqual(report?.blocks.length, 2);
  deepStrictEqual(log.filter((line) => line === "launch b"), ["launch b"]);
});

Deno.test("one server is measured in slices by the process that its windows had", async () => {
  const usual = experimentOf([A], [text, json], { rounds: 2, maxRounds: 2, slices: SLICES });
  const reference = { ...armOf("bare", [text]), id: "reference" };
  const { report, log } = await told({ ...usual, reference });
  const own = log.filter((line) => /^(launch|stop|slices)/.test(line));
  const block = "slices of a, reference";
  const round = ["launch a", "launch bare", block, block, "stop bare", "stop a"];
  deepStrictEqual(own, [...round, ...round]);
  const warmups = report?.blocks.map(({ block: { warmupS } }) => warmupS);
  deepStrictEqual(warmups, [0.5, 0.2, 0.5, 0.2], "the first warms up the reference");
});
