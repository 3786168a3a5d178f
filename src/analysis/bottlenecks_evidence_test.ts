import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Evidence } from "../model/derived.ts";
import { absent } from "../load/probe.ts";
import type { Ceiling, ProgramUsage, TrialResult, Usage } from "../model/raw.ts";
import { evidenceOf } from "./bottlenecks.ts";

const CORES = 4;

/** Makes the usage of a program that used a number of cores over two seconds. */
function used(cores: number, change: Partial<ProgramUsage> = {}): ProgramUsage {
  return {
    userUs: 1.5e6 * cores,
    systemUs: 0.5e6 * cores,
    busiestThread: cores,
    runQueueWait: 0,
    waitedUs: 0,
    idleRssBytes: null,
    peakRssBytes: null,
    ...change,
  };
}

interface Change {
  readonly usage?: Partial<Usage> | null;
  readonly responses?: number;
  readonly meanUs?: number | null;
  readonly ceiling?: Partial<Ceiling> | null;
  /** Number of shards of a scale trial. */
  readonly scale?: number;
  readonly connections?: number;
}

function trialResult(
  { usage = {}, responses = 2000, meanUs = 5000, ceiling = null, scale, connections = 10 }: Change =
    {},
): TrialResult {
  const nobody = { durationS: 2, server: null, database: null, generator: null, machine: null };
  return {
    trial: {
      purpose: scale === undefined ? "measure" : "scale",
      load: { connections, shards: scale ?? 1, open: null },
    },
    window: {
      measurement: {
        durationS: 2,
        statuses: { "200": responses },
        latency: meanUs === null ? null : { meanUs },
      },
      usage: usage && { ...nobody, ...usage },
      probe: absent({ kind: "no-rehearsal" }),
      ceiling,
    },
    failure: null,
  } as unknown as TrialResult;
}

const of = (...changes: Change[]): Evidence => evidenceOf(changes.map(trialResult), CORES);

Deno.test("evidenceOf takes medians over the windows, each figure by itself", () => {
  const { server } = of(
    { usage: { server: used(0.9, { busiestThread: 0.5, runQueueWait: 0.3 }) } },
    { usage: { server: used(0.7, { busiestThread: 0.6, runQueueWait: 0.1 }) } },
    { usage: { server: used(0.8, { busiestThread: 0.9, runQueueWait: 0.2 }) } },
  );
  deepStrictEqual(server, {
    cores: 0.8,
    wantedCores: 0.8,
    busiestThread: 0.6,
    runQueueWait: 0.2,
  });
});

Deno.test("evidenceOf adds to the cores that were used those that were waited for", () => {
  const wanted = (waitedUs: number | null): number | null | undefined =>
    of({ usage: { generator: used(0.5, { waitedUs }) } }).generator?.wantedCores;
  strictEqual(wanted(3e6), 2);
  strictEqual(wanted(null), null);
});

Deno.test("evidenceOf says of each component only what is known of it", () => {
  const nothing = of({ usage: null, meanUs: null });
  deepStrictEqual(nothing, {
    server: null,
    database: null,
    generator: null,
    machine: null,
    little: null,
    ceilingPerS: null,
    isCeilingReached: null,
    scaleGain: null,
    connectionsGain: null,
  });
  deepStrictEqual(evidenceOf([], CORES), nothing);
  // As on macOS
  const unknown = { busiestThread: null, runQueueWait: null, waitedUs: null };
  deepStrictEqual(of({ usage: { database: used(0.5, unknown) } }).database, {
    cores: 0.5,
    wantedCores: null,
    busiestThread: null,
    runQueueWait: null,
  });
  const some = of({ usage: null }, { usage: { server: used(0.5) } }, { usage: {} });
  strictEqual(some.server?.cores, 0.5);
});

Deno.test("evidenceOf leaves out windows that failed", () => {
  const failed = { ...trialResult({ usage: { server: used(9) } }), window: null };
  const good = trialResult({ usage: { server: used(0.5) } });
  strictEqual(evidenceOf([failed, good, failed], CORES).server?.cores, 0.5);
});

Deno.test("evidenceOf counts as others' what the machine used beside the three components", () => {
  const others = (
    idle: number,
    steal: number,
    components: Partial<Usage> = {},
  ): number | undefined =>
    of({ usage: { machine: { idle, steal }, ...components } }).machine?.otherCores;
  const components = { server: used(1), database: used(0.5), generator: used(0.25) };
  strictEqual(others(0.25, 0.25, components), 0.25); // 2 of 4 cores are in use
  strictEqual(others(0.5, 0, { server: used(1) }), 1, "components that are not known are others");
  strictEqual(others(0.75, 0, components), 0, "never below 0 for the clocks' sake");
});

Deno.test("evidenceOf has Little's law by the generator's own responses", () => {
  strictEqual(of({ responses: 2000, meanUs: 8000 }).little, 0.8);
  strictEqual(of({ responses: 2000, meanUs: 8000 }, { meanUs: null }).little, 0.8);
});

Deno.test("evidenceOf takes a ceiling for the generator's if only the null server had time", () => {
  const reached = (
    nullServerBusiest: number | null,
    generatorBusiest: number | null = 0.85,
  ): unknown[] => {
    const { ceilingPerS, isCeilingReached } = of({}, {
      ceiling: { responsesPerS: 9, nullServerBusiest, generatorBusiest },
    });
    return [ceilingPerS, isCeilingReached];
  };
  deepStrictEqual(reached(0.84), [9, true]);
  deepStrictEqual(reached(0.85), [9, false]);
  deepStrictEqual(reached(null), [9, false]);
  deepStrictEqual(reached(0.84, 0.84), [9, false]);
  deepStrictEqual(reached(0.84, null), [9, false]);
});

Deno.test("evidenceOf keeps scale trials apart: they say what more shards do, and no more", () => {
  const busy = { server: used(4), machine: { idle: 0, steal: 0 } };
  const ceiling = { responsesPerS: 9, nullServerBusiest: 0 };
  const scale = (shards: number, responses: number): Change => (
    { scale: shards, responses, usage: busy, meanUs: 1, ceiling }
  );
  const tests = [[1, 1000], [2, 1200], [2, 1300], [1, 900], [1, 1000], [2, 1100]] as const;
  const measured: Change = { usage: { server: used(0.5), machine: { idle: 0.5, steal: 0 } } };
  const all = of(measured, ...tests.map(([shards, responses]) => scale(shards, responses)));
  deepStrictEqual({ ...all, scaleGain: null }, of(measured));
  strictEqual(all.scaleGain?.toFixed(9), "0.100000000");
  strictEqual(of(scale(4, 1000), scale(8, 900)).scaleGain?.toFixed(9), "-0.100000000");
});

Deno.test("evidenceOf tells what more connections do from what more shards do", () => {
  const scale = (connections: number, responses: number): Change => ({
    scale: 1,
    connections,
    responses,
  });
  const { scaleGain, connectionsGain } = of(
    {},
    scale(10, 1000),
    scale(20, 1200),
    scale(20, 1100),
    scale(10, 1000),
  );
  deepStrictEqual([scaleGain, connectionsGain?.toFixed(3)], [null, "0.100"]);
});

Deno.test("evidenceOf has no gain without windows of both kinds", () => {
  strictEqual(of({}).scaleGain, null);
  strictEqual(of({ scale: 1 }, { scale: 1 }).scaleGain, null);
  const failed = { ...trialResult({ scale: 2 }), window: null };
  strictEqual(
    evidenceOf([trialResult(), trialResult({ scale: 1 }), failed], CORES).scaleGain,
    null,
  );
  const [few, many] = [1, 2].map((scale) => trialResult({ scale })) as [TrialResult, TrialResult];
  const pairs = [few, failed, many, few, few, many];
  strictEqual(evidenceOf(pairs, CORES).scaleGain, null, "two pairs are too few");
});
