import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { absent } from "../load/probe.ts";
import type {
  BottleneckKind,
  Component,
  ComponentEvidence,
  Evidence,
  Reason,
} from "../model/derived.ts";
import type { TrialResult } from "../model/raw.ts";
import { type Cores, decide, findBottleneck } from "./bottlenecks.ts";

const CORES: Cores = { machine: 4, server: 4, database: 4, generator: 4 };
const IDLE: ComponentEvidence = {
  cores: 0.2,
  wantedCores: 0.2,
  busiestThread: 0.2,
  runQueueWait: 0,
};
const EVIDENCE: Evidence = {
  server: IDLE,
  database: IDLE,
  generator: IDLE,
  little: 0.99,
  machine: { idle: 0.5, steal: 0, otherCores: 0 },
  ceilingPerS: null,
  isCeilingReached: null,
  scaleGain: null,
  connectionsGain: null,
};
const RATE = 1000;

const component = (change: Partial<ComponentEvidence>): ComponentEvidence => ({
  ...IDLE,
  ...change,
});
const FULL = component({ cores: 0.97, wantedCores: 0.98, busiestThread: 0.96 });
const CROWDED = component({
  cores: 0.6,
  wantedCores: 1.02,
  busiestThread: 0.55,
  runQueueWait: 0.4,
});
const NO_IDLE = { idle: 0.01, steal: 0, otherCores: 0 };

const decided = (change: Partial<Evidence>, cores: Cores = CORES): ReturnType<typeof decide> =>
  decide({ ...EVIDENCE, ...change }, RATE, cores);
const bottleneck = (change: Partial<Evidence>, cores: Cores = CORES): BottleneckKind =>
  decided(change, cores).kind;

Deno.test("decide names the component whose busiest thread had no time left", () => {
  for (const name of ["server", "database", "generator"] as const) {
    strictEqual(bottleneck({ [name]: component({ busiestThread: 0.95 }) }), name);
    strictEqual(bottleneck({ [name]: component({ busiestThread: 0.94 }) }), "unknown", name);
  }
});

Deno.test("decide names the component that used nine tenths of the cores that it may use", () => {
  for (const name of ["server", "database", "generator"] as const) {
    strictEqual(bottleneck({ [name]: component({ cores: 3.6 }) }), name);
    strictEqual(bottleneck({ [name]: component({ cores: 3.59 }) }), "unknown", name);
    const pinned = { ...CORES, [name]: 1 };
    strictEqual(
      bottleneck({ [name]: component({ cores: 0.9 }) }, pinned),
      name,
      "pinned to one core",
    );
    strictEqual(bottleneck({ [name]: component({ cores: 0.69 }) }, pinned), "idle", name);
  }
});

Deno.test("decide names the generator at nine tenths of a ceiling that was its own", () => {
  const ceiling = (ceilingPerS: number, isCeilingReached: boolean | null): BottleneckKind =>
    bottleneck({ ceilingPerS, isCeilingReached });
  strictEqual(ceiling(RATE / 0.9, true), "generator");
  strictEqual(ceiling(RATE / 0.89, true), "idle");
  strictEqual(ceiling(RATE, false), "idle", "the null server had no time left");
  strictEqual(ceiling(RATE, null), "idle");
});

Deno.test("decide asks for a scale test if the generator and another are full", () => {
  for (const other of ["server", "database"] as const) {
    const both = { [other]: FULL, generator: FULL };
    const { kind: first, needsScaleTest, reasons } = decided(both);
    deepStrictEqual([first, needsScaleTest], ["unknown", "shards"], other);
    deepStrictEqual(reasons.at(-1), { kind: "only-shards-tell" });
    for (const [scaleGain, name] of [[0.051, "generator"], [0.05, other], [-0.2, other]] as const) {
      const bottleneck = decided({ ...both, scaleGain });
      deepStrictEqual(
        [bottleneck.kind, bottleneck.needsScaleTest],
        [name, null],
        String(scaleGain),
      );
    }
    const byCeiling = { [other]: FULL, ceilingPerS: RATE, isCeilingReached: true };
    strictEqual(decided(byCeiling).needsScaleTest, "shards", "full by its ceiling");
  }
  strictEqual(decided({ server: FULL, database: FULL }).needsScaleTest, null);
});

Deno.test("decide lets no full component be masked by a busy machine or idle connections", () => {
  const masks: Partial<Evidence> = { machine: NO_IDLE, little: 0.5 };
  strictEqual(bottleneck({ ...masks, database: FULL }), "database");
  strictEqual(
    bottleneck({ ...masks, database: FULL, server: CROWDED, generator: CROWDED }),
    "database",
  );
  strictEqual(bottleneck({ ...masks, server: FULL, database: FULL }), "server");
  strictEqual(bottleneck({ ...masks, machine: null, server: FULL, database: null }), "server");
});

Deno.test("decide names the component that would have been full, if that is one, and none is", () => {
  for (const name of ["server", "database", "generator"] as const) {
    strictEqual(bottleneck({ [name]: CROWDED, machine: NO_IDLE }), name);
    const manyThreads = component({ cores: 2, wantedCores: 3.6 });
    strictEqual(bottleneck({ [name]: manyThreads, machine: NO_IDLE, little: 0.5 }), name);
  }
  strictEqual(bottleneck({ server: CROWDED, generator: FULL }), "generator", "full comes before");
  strictEqual(bottleneck({ server: CROWDED, database: CROWDED, machine: NO_IDLE }), "machine");
  strictEqual(bottleneck({ server: CROWDED, database: CROWDED }), "unknown", "there was room");
});

Deno.test("decide names the machine, then the generator, then waiting", () => {
  const machine = (idle: number): Evidence["machine"] => ({ ...NO_IDLE, idle });
  strictEqual(bottleneck({ machine: machine(0.049), little: 0.5 }), "machine");
  strictEqual(bottleneck({ machine: machine(0.05), little: 0.84 }), "generator");
  strictEqual(bottleneck({ machine: machine(0.05), little: 0.85 }), "idle");
  strictEqual(bottleneck({ little: null }), "idle");
  strictEqual(
    bottleneck({ server: component({ busiestThread: 0.49, runQueueWait: 0.2 }) }),
    "idle",
  );
  strictEqual(
    bottleneck({ server: component({ busiestThread: 0.5, runQueueWait: 0.2 }) }),
    "unknown",
  );
});

Deno.test("decide calls nobody idle whose processors the host takes", () => {
  const of = (steal: number): BottleneckKind =>
    bottleneck({ machine: { idle: 0.3, steal, otherCores: 0 }, little: 0.5 });
  deepStrictEqual([of(0.05), of(0.1), of(0.4)], ["generator", "machine", "machine"]);
  strictEqual(
    bottleneck({ server: FULL, machine: { idle: 0, steal: 0.4, otherCores: 0 } }),
    "server",
  );
});

Deno.test("decide takes no component for idle that used much of a core on many threads", () => {
  strictEqual(bottleneck({ server: component({ cores: 0.7, wantedCores: 0.7 }) }), "unknown");
  strictEqual(
    bottleneck({ server: component({ cores: 0.69, wantedCores: 0.9 }) }),
    "idle",
    "not crowded",
  );
  const machine = { idle: 0.09, steal: 0, otherCores: 0 };
  strictEqual(
    bottleneck({ server: component({ cores: 0.6, wantedCores: 0.8 }), machine }),
    "unknown",
  );
  strictEqual(bottleneck({ server: component({ cores: 0.6, wantedCores: null }) }), "idle");
});

Deno.test("decide counts what all threads waited only where the machine is crowded", () => {
  const server = component({ cores: 1.4, wantedCores: 3.7 });
  strictEqual(bottleneck({ server }), "unknown");
  strictEqual(bottleneck({ server, machine: { idle: 0.09, steal: 0, otherCores: 0 } }), "server");
});

Deno.test("decide blames no component where others use the processors", () => {
  const server = component({ cores: 0.2, busiestThread: 0.2, runQueueWait: 0.76 });
  const { kind: bottleneck, reasons } = decided({
    server,
    machine: { idle: 0.01, steal: 0, otherCores: 1.6 },
  });
  strictEqual(bottleneck, "machine");
  deepStrictEqual(reasons[0], { kind: "others-busy", cores: 1.6 });
});

Deno.test("decide asks for more connections where somebody was busy, and no component saturated", () => {
  const busy = { server: component({ cores: 0.84, busiestThread: 0.8 }) };
  const { kind: first, needsScaleTest } = decided(busy);
  deepStrictEqual([first, needsScaleTest], ["unknown", "connections"]);
  for (const [connectionsGain, name] of [[0.051, "connections"], [0.05, "unknown"]] as const) {
    const { kind: bottleneck, needsScaleTest, reasons } = decided({ ...busy, connectionsGain });
    deepStrictEqual([bottleneck, needsScaleTest], [name, null]);
    deepStrictEqual(reasons[0], { kind: "connections-changed", gain: connectionsGain });
  }
  strictEqual(decided({}).needsScaleTest, null, "who waits needs none");
});

Deno.test("decide does not guess where the system does not tell", () => {
  const nobody = { server: null, database: null, generator: null };
  for (
    const unknown of [
      { ...nobody, machine: null, little: null },
      nobody,
      { server: component({ busiestThread: null, runQueueWait: null }), machine: null },
    ]
  ) {
    const { kind: bottleneck, reasons, needsScaleTest } = decided(unknown);
    deepStrictEqual([bottleneck, needsScaleTest], ["unknown", null]);
    deepStrictEqual(reasons, [{ kind: "system-silent" }]);
  }
});

Deno.test("decide gives its reasons with the figures", () => {
  const reasons = (change: Partial<Evidence>): readonly Reason[] => decided(change).reasons;
  const busy = (component: Component, evidence: ComponentEvidence): Reason => {
    const { cores, busiestThread, runQueueWait } = evidence;
    return { kind: "busy", component, cores, busiestThread, runQueueWait };
  };
  deepStrictEqual(reasons({ server: FULL }), [busy("server", FULL)]);
  deepStrictEqual(reasons({ server: FULL, generator: FULL, scaleGain: -0.034 }), [
    busy("server", FULL),
    busy("generator", FULL),
    { kind: "shards-changed", gain: -0.034 },
  ]);
  deepStrictEqual(reasons({ ceilingPerS: 1080, isCeilingReached: true }), [
    busy("generator", IDLE),
    { kind: "near-ceiling", ceilingShare: 1.08 },
  ]);
  deepStrictEqual(reasons({ database: CROWDED, machine: NO_IDLE }), [
    busy("database", CROWDED),
    { kind: "waited-for-processor" },
  ]);
  deepStrictEqual(reasons({ machine: NO_IDLE, database: null }), [
    { kind: "machine-in-use", used: 0.99 },
    busy("server", IDLE),
    busy("generator", IDLE),
  ]);
  deepStrictEqual(reasons({ server: null }), [
    { kind: "server-unknown" },
    busy("generator", IDLE),
  ]);
  deepStrictEqual(reasons({ little: 0.5 }), [{ kind: "connections-idle", little: 0.5 }]);
  deepStrictEqual(reasons({}), [{ kind: "all-idle", idle: 0.5 }]);
  const unknown = component({ cores: 3.6, busiestThread: null, runQueueWait: null });
  deepStrictEqual(reasons({ server: unknown }), [busy("server", unknown)]);
});

Deno.test("findBottleneck takes the rate of the measured windows, and keeps the evidence", () => {
  const trialResult = (purpose: "measure" | "scale", responses: number): TrialResult => {
    const measurement = { durationS: 1, statuses: { 200: responses }, latency: null };
    const ceiling = { responsesPerS: 1000, nullServerBusiest: 0.5, generatorBusiest: 0.9 };
    const window = { measurement, usage: null, probe: absent({ kind: "no-rehearsal" }), ceiling };
    return { trial: { purpose, load: { connections: 1 } }, window } as unknown as TrialResult;
  };
  const rates = (measured: number, scale: number): BottleneckKind =>
    findBottleneck([trialResult("measure", measured), trialResult("scale", scale)], CORES, false)
      .kind;
  deepStrictEqual([rates(950, 1), rates(1, 950)], ["generator", "unknown"]);
  strictEqual(findBottleneck([trialResult("measure", 1)], CORES, false).evidence.ceilingPerS, 1000);
});

Deno.test("decide does not call it waiting while a database that cannot be seen may be busy", () => {
  const { kind: bottleneck, reasons } = decide(EVIDENCE, RATE, CORES, { isDatabaseHidden: true });
  strictEqual(bottleneck, "unknown");
  deepStrictEqual(reasons, [{ kind: "database-hidden" }]);
  strictEqual(
    decide({ ...EVIDENCE, server: FULL }, RATE, CORES, { isDatabaseHidden: true }).kind,
    "server",
  );
});

Deno.test("in an open loop the only program that is nearly at its limit is the bottleneck, and no scale test is asked for", () => {
  const nearly = component({ cores: 0.93, busiestThread: 0.63, runQueueWait: 0.3 });
  const busy = component({ cores: 0.51, busiestThread: 0.51, runQueueWait: 0.23 });
  const judge = (change: Partial<Evidence>): [string, string | null] => {
    const { kind: bottleneck, needsScaleTest } = decide({ ...EVIDENCE, ...change }, RATE, CORES, {
      isOpen: true,
    });
    return [bottleneck, needsScaleTest];
  };
  deepStrictEqual(judge({ server: busy, generator: nearly }), ["generator", null]);
  deepStrictEqual(judge({ server: nearly, generator: busy }), ["server", null]);
  deepStrictEqual(judge({ server: nearly, generator: nearly }), ["unknown", null]);
});

Deno.test("decide calls a server that only waits no victim of the machine, whatever others use", () => {
  const waiting = component({
    cores: 0.02,
    wantedCores: 0.05,
    busiestThread: 0.02,
    runQueueWait: 0.02,
  });
  const components = { server: waiting, database: null, generator: waiting };
  const beside = (machine: Evidence["machine"]): BottleneckKind =>
    bottleneck({ ...components, machine });
  strictEqual(beside({ idle: 0.01, steal: 0, otherCores: 1.9 }), "idle");
  strictEqual(beside({ idle: 0.01, steal: 0.4, otherCores: 0 }), "idle");
  strictEqual(beside({ idle: 0.97, steal: 0, otherCores: 0 }), "idle");
  const hindered = { ...components, server: component({ busiestThread: 0.15, runQueueWait: 0.2 }) };
  strictEqual(
    bottleneck({ ...hindered, machine: { idle: 0.01, steal: 0, otherCores: 1.9 } }),
    "machine",
  );
});
