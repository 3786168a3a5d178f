import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { isolation } from "../../scenarios/isolation.ts";
import { json } from "../../scenarios/json.ts";
import { sql1 } from "../../scenarios/sql1.ts";
import { text } from "../../scenarios/text.ts";
import type { Server } from "../model/server.ts";
import type { PresetRow, PresetTable } from "../model/preset.ts";
import { withCombinations } from "./select.ts";
import {
  capacityExperiment,
  generatorsExperiment,
  noiseExperiment,
  pilotExperiment,
  rateExperiment,
  type Rates,
  runExperiment,
  scalingExperiment,
  versusExperiment,
} from "./kinds.ts";
import { draftOf, type ExperimentOptions } from "./options.ts";
import { mostConnections } from "./loads.ts";
import { DEFAULT_SLO, parseSlo } from "./slo.ts";
import { recordOf } from "./compose.ts";
import { presetExperiment } from "./preset.ts";
import { variantOf } from "./experiment_testdata.ts";

const OPTIONS: ExperimentOptions = {
  duration: 1.5,
  shards: 1,
  workers: 1,
  cpuWorkers: 2,
  queueLimit: 100,
  seed: 7,
};
const { server: A } = variantOf("a", [text, json, sql1]);
const { server: B } = variantOf("b", [text, json]);

Deno.test("a run has a variant for each server, and the usual design", () => {
  const { kind, variants, load, design } = runExperiment(
    draftOf({ servers: [A, B], scenarios: [text], reference: null }, OPTIONS),
  );
  strictEqual(kind, "run");
  deepStrictEqual(variants.map(({ id, label, generator }) => [id, label, generator]), [
    ["a", "Name of a", "autocannon"],
    ["b", "Name of b", "autocannon"],
  ]);
  deepStrictEqual(variants[0]?.env, {
    DB_POOL: "1",
    WORKERS: "1",
    CPU_WORKERS: "2",
    QUEUE_LIMIT: "100",
  });
  deepStrictEqual([design.rounds, design.maxRounds, design.budgetShare], [6, 15, 0.02]);
  deepStrictEqual([design.ratiosOnly, design.needsAll, design.seed], [false, false, 7]);
  deepStrictEqual([load.defaultConnections, load.timeoutS], [10, 10]);
});

Deno.test("a pool has as many connections as the load, 100 at most, unless it is said", () => {
  const pool = (options: Partial<ExperimentOptions>): string | undefined =>
    runExperiment(draftOf({ servers: [A], scenarios: [sql1, text], reference: null }, {
      ...OPTIONS,
      ...options,
    }))
      .variants[0]?.env.DB_POOL;
  deepStrictEqual([{}, { connections: [1, 50] }, { connections: [500] }, { dbPool: 3 }].map(pool), [
    "10",
    "50",
    "100",
    "3",
  ]);
});

Deno.test("rounds that are asked for are the most, unless that is said too", () => {
  const rounds = (options: Partial<ExperimentOptions>): readonly number[] => {
    const { design } = runExperiment(draftOf({ servers: [A], scenarios: [text], reference: null }, {
      ...OPTIONS,
      ...options,
    }));
    return [design.rounds, design.maxRounds];
  };
  deepStrictEqual(rounds({ rounds: 2 }), [2, 2]);
  deepStrictEqual(rounds({ rounds: 2, maxRounds: 4 }), [2, 4]);
  deepStrictEqual(rounds({ maxRounds: 3 }), [3, 3]);
  throws(
    () => rounds({ rounds: 4, maxRounds: 3 }),
    /Cannot measure 4 --rounds with 3 --max-rounds/,
  );
});

Deno.test("a load generator takes over in a whole run, unless one was named", () => {
  const selection = { servers: [A], scenarios: [text], reference: null };
  const fallback = (options: Partial<ExperimentOptions>): string | null =>
    runExperiment(
      draftOf(selection, { ...OPTIONS, generator: undefined, ...options } as ExperimentOptions),
    )
      .design.fallback;
  strictEqual(fallback({}), "stampede");
  deepStrictEqual([fallback({ generator: "autocannon" }), fallback({ rounds: 5 })], [null, null]);
  strictEqual(noiseExperiment(draftOf(selection, OPTIONS)).design.fallback, null);
});

Deno.test("noise has one server twice", () => {
  const { kind, variants } = noiseExperiment(
    draftOf({ servers: [A], scenarios: [text], reference: null }, OPTIONS),
  );
  deepStrictEqual([kind, ...variants.map(({ id }) => id)], ["noise", "a", "a-again"]);
  strictEqual(variants[0]?.server, variants[1]?.server);
  const several = { servers: [A, B], scenarios: [text], reference: null };
  throws(
    () => noiseExperiment(draftOf(several, OPTIONS)),
    /noise of several servers at once: name one/,
  );
  const sweep = { ...OPTIONS, connections: [1, 2] };
  throws(
    () => noiseExperiment(draftOf({ servers: [A], scenarios: [text], reference: null }, sweep)),
    /with several --connections at once/,
  );
});

Deno.test("generators has one server under each load generator", () => {
  const selection = { servers: [A], scenarios: [text], reference: null };
  const experiment = generatorsExperiment(draftOf(selection, OPTIONS), ["autocannon", "wrk"]);
  deepStrictEqual(
    recordOf(experiment).variants.map(({ id, server, generator }) => [id, server, generator]),
    [
      ["autocannon", "a", "autocannon"],
      ["wrk", "a", "wrk"],
    ],
  );
  const several = { servers: [A, B], scenarios: [text], reference: null };
  throws(
    () => generatorsExperiment(draftOf(several, OPTIONS), ["wrk"]),
    /at several servers at once/,
  );
});

Deno.test("versus has what both states implement, and pools for that alone", () => {
  const base = { server: A, label: "A at main" };
  const head = { server: B, label: "B as it is" };
  const connections = [50];
  const selection = { servers: [A], scenarios: [text, json, sql1], reference: null };
  const { variants, scenarios, design } = versusExperiment(
    draftOf(selection, { ...OPTIONS, connections }),
    [base, head],
  );
  deepStrictEqual(scenarios.map(({ id }) => id), ["text", "json"]);
  deepStrictEqual(
    variants.map((
      { id, label, server, generator, env },
    ) => [id, label, server.id, server.name, generator, env.DB_POOL]),
    [
      ["base", "A at main", "a", "A at main", "stampede", "1"],
      ["head", "B as it is", "b", "B as it is", "stampede", "1"],
    ],
  );
  deepStrictEqual([design.rounds, design.maxRounds, design.until], [10, 20, "verdict"]);
  const given =
    versusExperiment(draftOf(selection, { ...OPTIONS, rounds: 12 }), [base, head]).design;
  deepStrictEqual([given.rounds, given.maxRounds, given.until], [12, 12, "width"]);
  deepStrictEqual([design.ratiosOnly, design.needsAll], [true, true]);
  const named = versusExperiment(draftOf(selection, { ...OPTIONS, generator: "wrk" }), [
    base,
    head,
  ]);
  strictEqual(named.variants[0]?.generator, "wrk");
  const apart = { ...selection, scenarios: [sql1] };
  throws(() => versusExperiment(draftOf(apart, OPTIONS), [base, head]), /no scenario that both/);
});

Deno.test("a preset's rows stand for servers, each started as its own was", () => {
  const row: PresetRow = {
    id: "x",
    name: "System X",
    server: "a",
    env: { WORKERS: "16" },
    closes: false,
    published: null,
  };
  const table: PresetTable = {
    title: "T",
    scenario: "text",
    tool: "ab",
    connections: 4,
    seconds: null,
    requests: 200,
    timeoutS: 30,
    runs: 3,
    kept: "best",
    dbPool: 8,
    rows: [row, { ...row, id: "y", name: "System Y", closes: true }],
    ratios: [],
  };
  const catalog = new Map([["a", A]]);
  const draft = draftOf({ servers: [], scenarios: [], reference: null }, OPTIONS);
  const { kind, variants, load, design, scenarios } = presetExperiment(
    table,
    catalog,
    draft,
    "ab",
  );
  strictEqual(kind, "preset");
  deepStrictEqual(variants.map(({ id, label, env }) => [id, label, env.WORKERS, env.DB_POOL]), [
    ["x", "System X", "16", "8"],
    ["y", "System Y", "16", "8"],
  ]);
  deepStrictEqual(variants.map(({ server }) => Object.keys(server.scenarios)), [
    ["text"],
    ["text-closing"],
  ]);
  strictEqual(scenarios[1]?.request.headers.connection, "close");
  deepStrictEqual([load.requests, load.timeoutS, load.warmupS, load.connections], [200, 30, 0, [
    4,
  ]]);
  deepStrictEqual([design.rounds, design.maxRounds], [3, 3]);
  throws(
    () => presetExperiment({ ...table, scenario: "none" }, catalog, draft, "ab"),
    /no scenario "none"/,
  );
  throws(() => presetExperiment(table, new Map(), draft, "ab"), /no server "a"/);
});

Deno.test("ratios are measured in slices, less than half as long as windows, and with a reference", () => {
  const { server: C } = variantOf("c", [text]);
  const selection = { servers: [A, B], scenarios: [text], reference: C };
  const { reference, design } = runExperiment(draftOf(selection, OPTIONS));
  deepStrictEqual([reference?.id, reference?.server.id], ["reference", "c"]);
  deepStrictEqual(design.slices, { durationS: 0.45, sliceMs: 10, responses: 50 });
  const states = [{ server: A, label: "x" }, { server: B, label: "y" }] as const;
  const versus = versusExperiment(
    draftOf(selection, { ...OPTIONS, failOn: { speed: 0.05, costs: {} } }),
    states,
  );
  deepStrictEqual([versus.reference, versus.design.slices?.durationS], [null, 1]);
  deepStrictEqual([versus.design.width, versus.design.failOn], [0.01, 0.05]);
  strictEqual(
    generatorsExperiment(draftOf({ ...selection, servers: [A] }, OPTIONS), ["wrk"]).design.slices,
    null,
  );
  const attached = { ...A, attached: { origin: "http://127.0.0.1:1", pid: null } };
  const running = runExperiment(draftOf({ ...selection, servers: [attached, B] }, OPTIONS));
  deepStrictEqual([running.reference, running.design.slices], [null, null], "it runs already");
});

const SLO = parseSlo(DEFAULT_SLO);
const rates = (...perS: number[]): Rates => ({ perS, shares: [] });

Deno.test("shares of what servers answer are rates of their own at each scenario", () => {
  const selection = { servers: [A], scenarios: [text, json], reference: null };
  const asked = { perS: [100], shares: [0.5, 0.9] };
  const { load } = rateExperiment(draftOf(selection, OPTIONS), asked, { text: 12_345, json: 200 });
  deepStrictEqual(load.open?.perS, { text: [100, 6170, 11_100], json: [100, 180] });
  deepStrictEqual(load.open.closedLoopPerS, { text: 12_345, json: 200 });
  const { design, load: closed } = pilotExperiment(draftOf(selection, OPTIONS));
  deepStrictEqual([design.rounds, design.maxRounds, design.slices, closed.open], [
    1,
    1,
    null,
    null,
  ]);
});

Deno.test("rates are sent by Stampede's own driver, as an open loop, and without slices", () => {
  const selection = { servers: [A, B], scenarios: [text], reference: null };
  const { kind, variants, load, design } = rateExperiment(
    draftOf(selection, OPTIONS),
    rates(100, 500),
  );
  strictEqual(kind, "rate");
  deepStrictEqual(variants.map(({ generator }) => generator), ["stampede", "stampede"]);
  deepStrictEqual(load.open, {
    perS: { text: [100, 500] },
    closedLoopPerS: {},
    arrivals: "poisson",
  });
  strictEqual(design.slices, null);
  deepStrictEqual(
    rateExperiment(draftOf(selection, { ...OPTIONS, arrivals: "even" }), rates(1)).load.open
      ?.arrivals,
    "even",
  );
  throws(
    () => rateExperiment(draftOf(selection, { ...OPTIONS, generator: "wrk" }), rates(1)),
    /wrk cannot send at a --rate here: leave out --generator, or use stampede/,
  );
  throws(
    () => rateExperiment(draftOf(selection, { ...OPTIONS, connections: [1, 2] }), rates(1)),
    /Cannot measure several --connections and a --rate at once/,
  );
});

Deno.test("a run of many servers has more rounds, which are shorter", () => {
  const servers = ["a", "b", "c", "d"].map((id) => variantOf(id, [text]).server);
  const designOf = (count: number, options: Partial<ExperimentOptions> = {}): unknown[] => {
    const selection = { servers: servers.slice(0, count), scenarios: [text], reference: null };
    const { design } = runExperiment(draftOf(selection, { ...OPTIONS, ...options }));
    return [design.rounds, design.slices?.durationS];
  };
  deepStrictEqual(designOf(3), [6, 0.45]);
  deepStrictEqual(designOf(4), [8, 0.3]);
  deepStrictEqual(designOf(4, { slices: false }), [6, undefined]);
  deepStrictEqual(designOf(4, { rounds: 2 }), [2, 0.3]);
});

Deno.test("a capacity is looked for by an SLO, and asks for its own rates", () => {
  const selection = { servers: [A, B], scenarios: [text], reference: null };
  const { kind, variants, load, design, search } = capacityExperiment(
    draftOf(selection, OPTIONS),
    SLO,
  );
  deepStrictEqual([kind, design.rounds, design.slices], ["capacity", 1, null]);
  deepStrictEqual(variants.map(({ generator }) => generator), ["stampede", "stampede"]);
  deepStrictEqual(load.open, { perS: {}, closedLoopPerS: {}, arrivals: "poisson" });
  deepStrictEqual(search?.slo.latencies, [{ percentile: 0.99, us: 50_000 }]);
  deepStrictEqual([search?.width, search?.shares.at(-1)], [0.1, 1.2]);
  strictEqual(mostConnections({ scenarios: [text], load }), 256);
  const sweep = { ...OPTIONS, connections: [10, 20] };
  throws(() => capacityExperiment(draftOf(selection, sweep), SLO), /several --connections/);
  const lenient = { latencies: [], errorShare: 0.01 };
  throws(
    () => capacityExperiment(draftOf(selection, OPTIONS), lenient),
    /without a latency limit such as/,
  );
});

Deno.test("several numbers of workers are variants of one server, which has to take them", () => {
  const configurable = { ...A, workers: "configurable", maxConnections: 1000 } as const;
  const selection = { servers: [configurable], scenarios: [text], reference: null };
  const { kind, variants } = scalingExperiment(draftOf(selection, OPTIONS), [1, 2]);
  strictEqual(kind, "scaling");
  deepStrictEqual(variants.map(({ id, label, env }) => [id, label, env.WORKERS, env.DB_POOL]), [
    ["a-x1", "Name of a, 1 worker", "1", "1"],
    ["a-x2", "Name of a, 2 workers", "2", "1"],
  ]);
  deepStrictEqual(variants.map(({ server }) => server.maxConnections), [1000, 2000]);
  throws(
    () => scalingExperiment(draftOf({ ...selection, servers: [configurable, B] }, OPTIONS), [1, 2]),
    /Cannot set --workers of b: /,
  );
});

Deno.test("what is asked beside something else is measured at a rate of its own, and in no other way", () => {
  const selection = { servers: [A], scenarios: [isolation], reference: null };
  const { load } = rateExperiment(draftOf(selection, OPTIONS), { perS: [], shares: [] });
  deepStrictEqual(load.open?.perS, { isolation: [200] });
  deepStrictEqual(rateExperiment(draftOf(selection, OPTIONS), rates(50)).load.open?.perS, {
    isolation: [50],
  });
  throws(
    () => runExperiment(draftOf(selection, OPTIONS)),
    /Cannot measure isolation with this command/,
  );
  throws(
    () => capacityExperiment(draftOf(selection, OPTIONS), SLO),
    /Cannot measure isolation with this command/,
  );
});

Deno.test("a server with text and primes can be asked for both at once, and says how it computes them inline", () => {
  const of = (scenarios: Server["scenarios"]): string[] =>
    Object.keys(withCombinations({ ...A, scenarios }, []).scenarios);
  deepStrictEqual(of({ text: {} }), ["text"]);
  deepStrictEqual(of({ text: {}, primes: {} }), ["text", "primes", "isolation"]);
  deepStrictEqual(of({ text: {}, primes: { inline: "/primes?offload=false" } }), [
    "text",
    "primes",
    "isolation",
    "isolation-inline",
  ]);
});
