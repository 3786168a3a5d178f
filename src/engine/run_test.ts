import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { isolation } from "../../scenarios/isolation.ts";
import { json } from "../../scenarios/json.ts";
import { text } from "../../scenarios/text.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import { run } from "./run.ts";
import {
  type FakeOptions,
  FakeTestbed,
  measurementOf,
  type RunLog,
  runLogged,
} from "./testbed_testdata.ts";

const A = variantOf("a", [text, json]);
const B = variantOf("b", [text]);
const SLICES = { durationS: 1, sliceMs: 10, responses: 50 };

const kindsOf = ({ events }: RunLog): string => events.map(({ kind }) => kind).join(" ");

Deno.test("run tells the plan, each window with a report before it, and the whole report", async () => {
  const outcome = await runLogged(experimentOf([A], [text], { rounds: 2, maxRounds: 2 }));
  const window = "start report result";
  strictEqual(kindsOf(outcome), `plan ${window} ${window} report`);
  strictEqual(outcome.error, null);
  const { report } = outcome;
  deepStrictEqual([report?.complete, report?.trialResults.length], [true, 2]);
  strictEqual(report?.experiment.kind, "run");
  strictEqual(report?.results[0]?.requestsPerS?.median, 1000);
  deepStrictEqual(report?.versions, { stampede: "0.1.0", deno: "2.9.6", autocannon: "1.0" });
  deepStrictEqual(outcome.log, [
    'open {"database":false,"databaseConnections":10,"pins":false,"tls":null}',
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
  const { report, error } = await runLogged(experimentOf([A, B], [text]), options);
  strictEqual(error, null);
  deepStrictEqual(report?.servers.map(({ id, skipped }) => [id, skipped]), [
    ["a", null],
    ["b", "bun not found"],
  ]);
  deepStrictEqual([...new Set(report?.trialResults.map(({ trial }) => trial.variant))], ["a"]);
});

Deno.test("run measures nothing without a server, or without every one that is needed", async () => {
  const options = { skipped: { b: "bun not found" }, failures: { a: "no compiler" } };
  const none = await runLogged(experimentOf([A, B], [text]), options);
  strictEqual(
    String(none.error),
    "Failure: There is no server to measure\na: no compiler\nb: skipped: bun not found",
  );
  deepStrictEqual(none.events, []);
  strictEqual(none.log.at(-1), "close");
  const both = await runLogged(experimentOf([A, B], [text], { needsAll: true }), {
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
  const { report, error, log } = await runLogged(
    experimentOf([A], [text]),
    { measure },
    stop.signal,
  );
  strictEqual(String(error), "Error: Ctrl-C");
  deepStrictEqual([report?.complete, report?.trialResults.length], [false, 1]);
  deepStrictEqual(log.slice(-3), ["stop a", "unload", "close"]);
});

Deno.test("run ends when nothing more can be measured", async () => {
  let checks = 0;
  const unsound = (): string | null => ++checks === 2 ? "PostgreSQL was killed" : null;
  const { report, error } = await runLogged(experimentOf([A], [text]), { unsound });
  strictEqual(String(error), "Failure: PostgreSQL was killed");
  deepStrictEqual([report?.complete, report?.trialResults.length], [false, 2]);
});

Deno.test("run goes on after a failed window, and after a server that does not start", async () => {
  let windows = 0;
  const measure: FakeOptions["measure"] = () => {
    if (++windows === 1) throw new Error("the generator was killed");
    return measurementOf(1000);
  };
  const launchProblem: FakeOptions["launchProblem"] = ({ id }) => id === "b" ? "no licence" : null;
  const { report } = await runLogged(experimentOf([A, B], [text]), { measure, launchProblem });
  deepStrictEqual(
    report?.results.map((
      { variant, status, rounds, failedRounds },
    ) => [variant, status, rounds, failedRounds]),
    [["a", "ok", 2, 1], ["b", "failed", 0, 1]],
  );
  deepStrictEqual(report?.results[1]?.reason, { kind: "message", text: "no licence" });
});

Deno.test("run stops working when its events are not taken any more", async () => {
  const testbed = new FakeTestbed();
  for await (const event of run(experimentOf([A], [text]), testbed, new AbortController().signal)) {
    if (event.kind === "result") break;
  }
  deepStrictEqual(testbed.log.slice(-3), ["stop a", "unload", "close"]);
  strictEqual(testbed.log.filter((line) => line === "launch a").length, 1);
});

Deno.test("run says how to get a load generator that is not here, before it starts anything", async () => {
  const variant = { ...A, generator: "wrk" };
  const { error, log } = await runLogged(experimentOf([variant], [text]));
  strictEqual(String(error), "UsageError: The load generator wrk is not installed: get it");
  deepStrictEqual(log, []);
});

Deno.test("run drives each variant with its own load generator, and auto with the fastest", async () => {
  const options = { present: ["autocannon", "wrk", "ab"], ceilings: { wrk: 2000, ab: 9000 } };
  const own = [{ ...A, id: "x", generator: "wrk" }, { ...A, id: "y" }];
  const { report } = await runLogged(
    experimentOf(own, [text], { rounds: 1, maxRounds: 1 }),
    options,
  );
  const generators = new Map(
    report?.trialResults.map(({ trial }) => [trial.variant, trial.generator]),
  );
  deepStrictEqual([generators.get("x"), generators.get("y")], ["wrk", "autocannon"]);
  deepStrictEqual(report?.generators.map(({ id }) => id), ["wrk", "autocannon"]);

  const auto = await runLogged(experimentOf([{ ...A, generator: "auto" }], [text]), options);
  strictEqual(auto.report?.experiment.variants[0]?.generator, "auto", "what was asked for stays");
  deepStrictEqual(auto.report?.generators.map(({ id }) => id), ["wrk"], "ab speaks HTTP/1.0");
  const notes = auto.events.flatMap((event) => event.kind === "note" ? [event.note.kind] : []);
  deepStrictEqual(notes, ["ceiling", "ceiling", "loading"]);
  const both = [{ ...A, generator: "auto" }, { ...B, generator: "auto" }];
  const ratios = experimentOf(both, [text], { slices: SLICES, ratiosOnly: true });
  const sliced = await runLogged(ratios, options);
  deepStrictEqual([sliced.report?.generators, sliced.report?.blocks.length], [[], 3]);
  ok(sliced.events.every(({ kind }) => kind !== "note"), "no window needs the fastest");
});

Deno.test("run says what of a person's own request others can read in a command line", async () => {
  const request = { ...text.request, path: "/?key=s3cret", headers: { authorization: "s3cret" } };
  const scenario = { ...text, request };
  const notes = async (generator: string, isTheirs: boolean): Promise<unknown[]> => {
    const variant = variantOf("a", [scenario]);
    const attached = isTheirs ? { origin: "http://127.0.0.1:1", pid: null } : null;
    const own = { ...variant, generator, server: { ...variant.server, attached } };
    const design = { rounds: 1, maxRounds: 1 };
    const { events } = await runLogged(experimentOf([own], [scenario], design), {
      present: [generator],
    });
    return events.flatMap((event) => event.kind === "note" ? [event.note] : []);
  };
  deepStrictEqual(await notes("ab", true), [
    { kind: "exposed", generator: "ab", parts: ["query", "headers"] },
  ]);
  deepStrictEqual(await notes("wrk", true), [
    { kind: "exposed", generator: "wrk", parts: ["query"] },
  ]);
  deepStrictEqual(await notes("autocannon", true), []);
  deepStrictEqual(await notes("ab", false), [], "what a scenario sends is no secret");
});

Deno.test("another load generator takes over where the default one would be the bottleneck", async () => {
  const options: FakeOptions = {
    present: ["autocannon", "stampede"],
    ceiling: ({ request }, id) => id === "autocannon" && request.path === "/" ? 1000 : 9000,
  };
  const design = { rounds: 2, maxRounds: 2, fallback: "stampede" };
  const { report, events } = await runLogged(experimentOf([A], [text, json], design), options);
  const generators =
    report?.trialResults.map(({ trial: { purpose, scenario, generator } }) =>
      `${purpose} ${scenario} ${generator}`
    ) ?? [];
  deepStrictEqual(generators.slice(0, 2).toSorted(), [
    "pilot json autocannon",
    "pilot text autocannon",
  ]);
  deepStrictEqual([...new Set(generators.slice(2))].toSorted(), [
    "measure json autocannon",
    "measure text stampede",
  ]);
  deepStrictEqual(
    report?.results.map(({ scenario, rounds, isTakenOver }) => [
      scenario,
      rounds,
      isTakenOver,
    ]),
    [["text", 2, true], ["json", 2, false]],
  );
  deepStrictEqual(report?.generators.map(({ id }) => id), ["autocannon", "stampede"]);
  const notes = events.flatMap((event) => event.kind === "note" ? [event.note] : []);
  deepStrictEqual(notes, [{
    kind: "taken-over",
    scenarios: ["text"],
    limited: ["autocannon"],
    generator: "stampede",
    isKept: false,
  }]);

  const calm = await runLogged(experimentOf([A], [json], design), options);
  deepStrictEqual(calm.report?.generators.map(({ id }) => id), ["autocannon"]);
  ok(calm.events.every(({ kind }) => kind !== "note"));
});

Deno.test("a scenario that only one load generator can drive is not taken over", async () => {
  const special = { ...text, id: "special", pipelined: 16 };
  const design = { rounds: 2, maxRounds: 2, fallback: "stampede" };
  const variant = variantOf("a", [json, special]);
  const { report, events } = await runLogged(experimentOf([variant], [json, special], design));
  deepStrictEqual(
    report?.results.map(({ scenario, isTakenOver }) => [scenario, isTakenOver]),
    [["json", false], ["special", false]],
  );
  const trials = report?.trialResults.map(({ trial }) => trial) ?? [];
  deepStrictEqual(
    trials.filter(({ purpose }) => purpose === "pilot").map(({ scenario }) => scenario),
    ["json"],
  );
  ok(trials.every(({ scenario, generator }) => scenario !== "special" || generator === "stampede"));
  const notes = events.flatMap((event) => event.kind === "note" ? [event.note.kind] : []);
  deepStrictEqual(notes, ["loading"]);
});

Deno.test("runs of the same experiment have the same load generator, whatever the machine does", async () => {
  const kept = new Map<string, string>();
  const design = { rounds: 2, maxRounds: 2, fallback: "stampede" };
  const experiment = experimentOf([A], [text, json], design);
  const driven = async (ceiling: number): Promise<unknown[]> => {
    const options: FakeOptions = {
      present: ["autocannon", "stampede"],
      kept,
      ceiling: ({ request }, id) => id === "autocannon" && request.path === "/" ? ceiling : 9000,
    };
    const { report, events } = await runLogged(experiment, options);
    const notes = events.flatMap((event) =>
      event.kind === "note" && event.note.kind === "taken-over" ? [event.note.isKept] : []
    );
    const of = (wanted: string): string[] =>
      report?.trialResults.flatMap(({ trial: { purpose, scenario, generator } }) =>
        purpose === wanted ? [`${scenario} ${generator}`] : []
      ) ?? [];
    return [of("pilot").length, [...new Set(of("measure"))].toSorted(), notes];
  };
  const measured = ["json autocannon", "text stampede"];
  deepStrictEqual(await driven(1000), [2, measured, [false]]);
  // A new measurement would no longer find the first load generator to be the bottleneck
  deepStrictEqual(await driven(9000), [0, measured, [true]]);
});

Deno.test("a run that is stopped while it probes has measured nothing yet", async () => {
  let looks = 0;
  const options: FakeOptions = {
    present: ["autocannon", "stampede"],
    unsound: () => ++looks === 1 ? null : "PostgreSQL was killed",
  };
  const design = { rounds: 1, maxRounds: 1, fallback: "stampede" };
  const { report, error } = await runLogged(experimentOf([A], [text, json], design), options);
  ok(error !== null);
  strictEqual(report, undefined, "a probe is nothing to keep");
});

Deno.test("run refuses what no server implements, and what a load generator cannot do", async () => {
  const nothing = await runLogged(experimentOf([variantOf("a", [json])], [text]));
  strictEqual(String(nothing.error), "UsageError: No server implements any of the scenarios");
  const ab = { ...A, generator: "ab" };
  const { error } = await runLogged(experimentOf([ab], [text], { shards: 2 }), { present: ["ab"] });
  strictEqual(
    String(error),
    "UsageError: ab has no setting for --shards: leave it out, or choose another --generator",
  );
});

Deno.test("run of the kind noise compares its two variants", async () => {
  let windows = 0;
  const measure: FakeOptions["measure"] = () => measurementOf(1000 + windows++);
  const variants = [A, { ...A, id: "a-again" }];
  const experiment = experimentOf(variants, [text], { rounds: 6, maxRounds: 6 });
  const { report } = await runLogged({ ...experiment, kind: "noise" }, { measure });
  strictEqual(report?.noise[0]?.requestsPerS?.rounds, 6);
  deepStrictEqual((await runLogged(experiment)).report?.noise, []);
});

Deno.test("a stream waits until what it told has been dealt with", async () => {
  const testbed = new FakeTestbed();
  const events = run(experimentOf([A], [text]), testbed, new AbortController().signal);
  await events.next(); // the plan
  const before = testbed.log.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  strictEqual(testbed.log.length, before, "nothing is started meanwhile");
  await events.return();
});

Deno.test("a scenario may have another load beside it, which is verified and measured too", async () => {
  const variant = { ...variantOf("a", [isolation]), generator: "stampede" };
  const [numbers, sum] = [78_498, 37_550_402_023];
  const body = JSON.stringify({
    from: "a",
    numbers: [...Array(numbers - 2).fill(0), sum - 999_983, 999_983],
  });
  const open = { perS: { isolation: [100] }, closedLoopPerS: {}, arrivals: "even" } as const;
  const once = { rounds: 1, maxRounds: 1, open };
  // Only its first check: the others need a server that computes responses
  const [first] = isolation.beside?.scenario.checks ?? [];
  if (first === undefined || isolation.beside === undefined) throw new Error("nothing beside it");
  const beside = {
    ...isolation.beside,
    scenario: { ...isolation.beside.scenario, checks: [first] },
  };
  const outcome = await runLogged(experimentOf([variant], [{ ...isolation, beside }], once), {
    respond: (path) =>
      path === "/primes"
        ? new Response(body, { headers: { "content-type": "application/json" } })
        : new Response("Hello world"),
    measure: ({ load }) => measurementOf(load.open === null ? 300 : 100),
  });
  strictEqual(outcome.error, null);
  const [trialResult] = outcome.report?.trialResults ?? [];
  strictEqual(trialResult?.failure, null);
  strictEqual(trialResult?.window?.beside?.statuses["200"], 300);
  ok(outcome.log.includes("beside /primes"));
  strictEqual(outcome.report?.results[0]?.serverCpuUs, null, "nobody knows what it was used for");
});
