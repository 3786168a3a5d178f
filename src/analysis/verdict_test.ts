import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Evidence, Limit, PartEvidence } from "../model/derived.ts";
import type { TrialResult } from "../model/raw.ts";
import { absent } from "../load/witness.ts";
import { type Cores, decide, judge } from "./verdict.ts";

const CORES: Cores = { machine: 4, server: 4, database: 4, generator: 4 };
const IDLE: PartEvidence = { cores: 0.2, wantedCores: 0.2, busiestThread: 0.2, runQueueWait: 0 };
const EVIDENCE: Evidence = {
  server: IDLE,
  database: IDLE,
  generator: IDLE,
  little: 0.99,
  machine: { idle: 0.5, steal: 0, otherCores: 0 },
  ceilingPerS: null,
  isCeilingReached: null,
  scaleGain: null,
};
const RATE = 1000;

const part = (change: Partial<PartEvidence>): PartEvidence => ({ ...IDLE, ...change });
const FULL = part({ cores: 0.97, wantedCores: 0.98, busiestThread: 0.96 });
const CROWDED = part({ cores: 0.6, wantedCores: 1.02, busiestThread: 0.55, runQueueWait: 0.4 });
const NO_IDLE = { idle: 0.01, steal: 0, otherCores: 0 };

const decided = (change: Partial<Evidence>, cores: Cores = CORES): ReturnType<typeof decide> =>
  decide({ ...EVIDENCE, ...change }, RATE, cores);
const limit = (change: Partial<Evidence>, cores: Cores = CORES): Limit =>
  decided(change, cores).limit;

Deno.test("decide names the part whose busiest thread had no time left", () => {
  for (const name of ["server", "database", "generator"] as const) {
    strictEqual(limit({ [name]: part({ busiestThread: 0.95 }) }), name);
    strictEqual(limit({ [name]: part({ busiestThread: 0.94 }) }), "unclear", name);
  }
});

Deno.test("decide names the part that used nine tenths of the cores that it may use", () => {
  for (const name of ["server", "database", "generator"] as const) {
    strictEqual(limit({ [name]: part({ cores: 3.6 }) }), name);
    strictEqual(limit({ [name]: part({ cores: 3.59 }) }), "unclear", name);
    const pinned = { ...CORES, [name]: 1 };
    strictEqual(limit({ [name]: part({ cores: 0.9 }) }, pinned), name, "pinned to one core");
    strictEqual(limit({ [name]: part({ cores: 0.69 }) }, pinned), "wait", name);
  }
});

Deno.test("decide names the generator at nine tenths of a ceiling that was its own", () => {
  const ceiling = (ceilingPerS: number, isCeilingReached: boolean | null): Limit =>
    limit({ ceilingPerS, isCeilingReached });
  strictEqual(ceiling(RATE / 0.9, true), "generator");
  strictEqual(ceiling(RATE / 0.89, true), "wait");
  strictEqual(ceiling(RATE, false), "wait", "the null server had no time left");
  strictEqual(ceiling(RATE, null), "wait");
});

Deno.test("decide asks for a scale test if the generator and another are full", () => {
  for (const other of ["server", "database"] as const) {
    const both = { [other]: FULL, generator: FULL };
    const { limit: first, needsScaleTest, reasons } = decided(both);
    deepStrictEqual([first, needsScaleTest], ["unclear", true], other);
    match(reasons.at(-1) ?? "", /only more shards could tell/);
    for (const [scaleGain, name] of [[0.051, "generator"], [0.05, other], [-0.2, other]] as const) {
      const verdict = decided({ ...both, scaleGain });
      deepStrictEqual([verdict.limit, verdict.needsScaleTest], [name, false], String(scaleGain));
    }
    const byCeiling = { [other]: FULL, ceilingPerS: RATE, isCeilingReached: true };
    strictEqual(decided(byCeiling).needsScaleTest, true, "full by its ceiling");
  }
  strictEqual(decided({ server: FULL, database: FULL }).needsScaleTest, false);
});

Deno.test("decide lets nobody who is full be masked by a busy machine or idle connections", () => {
  const masks: Partial<Evidence> = { machine: NO_IDLE, little: 0.5 };
  strictEqual(limit({ ...masks, database: FULL }), "database");
  strictEqual(limit({ ...masks, database: FULL, server: CROWDED, generator: CROWDED }), "database");
  strictEqual(limit({ ...masks, server: FULL, database: FULL }), "server");
  strictEqual(limit({ ...masks, machine: null, server: FULL, database: null }), "server");
});

Deno.test("decide names whoever would have been full, if that is one, and nobody is", () => {
  for (const name of ["server", "database", "generator"] as const) {
    strictEqual(limit({ [name]: CROWDED, machine: NO_IDLE }), name);
    const manyThreads = part({ cores: 2, wantedCores: 3.6 });
    strictEqual(limit({ [name]: manyThreads, machine: NO_IDLE, little: 0.5 }), name);
  }
  strictEqual(limit({ server: CROWDED, generator: FULL }), "generator", "full comes before");
  strictEqual(limit({ server: CROWDED, database: CROWDED, machine: NO_IDLE }), "machine");
  strictEqual(limit({ server: CROWDED, database: CROWDED }), "unclear", "there was room");
});

Deno.test("decide names the machine, then the generator, then waiting", () => {
  const machine = (idle: number): Evidence["machine"] => ({ ...NO_IDLE, idle });
  strictEqual(limit({ machine: machine(0.049), little: 0.5 }), "machine");
  strictEqual(limit({ machine: machine(0.05), little: 0.84 }), "generator");
  strictEqual(limit({ machine: machine(0.05), little: 0.85 }), "wait");
  strictEqual(limit({ little: null }), "wait");
  strictEqual(limit({ server: part({ busiestThread: 0.49, runQueueWait: 0.2 }) }), "wait");
  strictEqual(limit({ server: part({ busiestThread: 0.5, runQueueWait: 0.2 }) }), "unclear");
});

Deno.test("decide takes nobody for idle who used much of a core on many threads", () => {
  strictEqual(limit({ server: part({ cores: 0.7, wantedCores: 0.7 }) }), "unclear");
  strictEqual(limit({ server: part({ cores: 0.69, wantedCores: 0.9 }) }), "wait", "not crowded");
  const machine = { idle: 0.09, steal: 0, otherCores: 0 };
  strictEqual(limit({ server: part({ cores: 0.6, wantedCores: 0.8 }), machine }), "unclear");
  strictEqual(limit({ server: part({ cores: 0.6, wantedCores: null }) }), "wait");
});

Deno.test("decide counts what all threads waited only where the machine is crowded", () => {
  const server = part({ cores: 1.4, wantedCores: 3.7 });
  strictEqual(limit({ server }), "unclear");
  strictEqual(limit({ server, machine: { idle: 0.09, steal: 0, otherCores: 0 } }), "server");
});

Deno.test("decide blames nobody who takes part where others use the processors", () => {
  const server = part({ cores: 0.2, busiestThread: 0.2, runQueueWait: 0.76 });
  const { limit, reasons } = decided({
    server,
    machine: { idle: 0.01, steal: 0, otherCores: 1.6 },
  });
  strictEqual(limit, "machine");
  match(reasons[0] ?? "", /programs that do not take part used 1.60 cores/);
});

Deno.test("decide does not guess where the system does not tell", () => {
  const nobody = { server: null, database: null, generator: null };
  for (
    const unknown of [
      { ...nobody, machine: null, little: null },
      nobody,
      { server: part({ busiestThread: null, runQueueWait: null }), machine: null },
    ]
  ) {
    const { limit, reasons, needsScaleTest } = decided(unknown);
    deepStrictEqual([limit, needsScaleTest], ["unclear", false]);
    deepStrictEqual(reasons, ["this system does not tell who was busy"]);
  }
});

Deno.test("decide gives its reasons as sentences with the figures", () => {
  const reasons = (change: Partial<Evidence>): readonly string[] => decided(change).reasons;
  const full = "used 0.97 cores, its busiest thread ran 96 % and waited 0 % of the time";
  const idle = "used 0.20 cores, its busiest thread ran 20 % and waited 0 % of the time";
  deepStrictEqual(reasons({ server: FULL }), [`the server ${full}`]);
  deepStrictEqual(reasons({ server: FULL, generator: FULL, scaleGain: -0.034 }), [
    `the server ${full}`,
    `the load generator ${full}`,
    "twice the shards changed the rate by -3 %",
  ]);
  deepStrictEqual(reasons({ ceilingPerS: 1080, isCeilingReached: true }), [
    `the load generator ${idle}`,
    "it reached 108 % of this rate against canned bytes",
  ]);
  deepStrictEqual(reasons({ database: CROWDED, machine: NO_IDLE }), [
    "PostgreSQL used 0.60 cores, its busiest thread ran 55 % and waited 40 % of the time",
    "it had to wait for a processor and would have run more",
  ]);
  deepStrictEqual(reasons({ machine: NO_IDLE, database: null }), [
    "99 % of the machine was in use, and nobody at a limit",
    `the server ${idle}`,
    `the load generator ${idle}`,
  ]);
  match(reasons({ little: 0.5 })[0] ?? "", /^only 50 % of the connections .*: the rest lay idle/);
  deepStrictEqual(reasons({}), ["nobody was busy, and 50 % of the machine idle"]);
  const cores = part({ cores: 3.6, busiestThread: null, runQueueWait: null });
  deepStrictEqual(reasons({ server: cores }), ["the server used 3.60 cores"]);
});

Deno.test("judge takes the rate of the measured windows, and keeps the evidence", () => {
  const result = (purpose: "measure" | "scale", answers: number): TrialResult => {
    const measurement = { durationS: 1, statuses: { 200: answers }, latency: null };
    const ceiling = { answersPerS: 1000, nullServerBusiest: 0.5, generatorBusiest: 0.9 };
    const window = { measurement, usage: null, witness: absent("no"), ceiling };
    return { trial: { purpose, load: { connections: 1 } }, window } as unknown as TrialResult;
  };
  const rates = (measured: number, scale: number): Limit =>
    judge([result("measure", measured), result("scale", scale)], CORES, false).limit;
  deepStrictEqual([rates(950, 1), rates(1, 950)], ["generator", "unclear"]);
  strictEqual(judge([result("measure", 1)], CORES, false).evidence.ceilingPerS, 1000);
});

Deno.test("decide does not call it waiting while a database that nobody sees may be busy", () => {
  const { limit, reasons } = decide(EVIDENCE, RATE, CORES, true);
  strictEqual(limit, "unclear");
  match(reasons[0] ?? "", /perhaps the database/);
  strictEqual(decide({ ...EVIDENCE, server: FULL }, RATE, CORES, true).limit, "server");
});
