import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { BottleneckKind, ComponentEvidence, Evidence } from "../model/derived.ts";
import { type Cores, decide } from "./bottlenecks.ts";

type Recorded = readonly [cores: number, wanted: number, busiest: number, waited: number];

/** Medians of single runs on two cores of an Intel Xeon, ten connections (`delay`: 100), autocannon. */
const RECORDED: readonly {
  readonly by: string;
  readonly kind: BottleneckKind;
  readonly rate: number;
  readonly server: Recorded;
  readonly database: Recorded | null;
  readonly generator: Recorded;
  readonly machine: readonly [idle: number, steal: number, others: number];
  readonly little: number | null;
  readonly ceilingPerS: number | null;
  readonly isCeilingReached: boolean | null;
}[] = [
  {
    by: "canned bytes",
    kind: "generator",
    rate: 37037,
    server: [0.702, 0.792, 0.676, 0.073],
    database: null,
    generator: [0.905, 1.054, 0.846, 0.111],
    machine: [0.143, 0, 0.107],
    little: 0.993,
    ceilingPerS: 27253,
    isCeilingReached: false,
  },
  {
    by: "a server that burns the processor for each response",
    kind: "server",
    rate: 1700,
    server: [0.962, 1.011, 0.956, 0.042],
    database: null,
    generator: [0.229, 0.268, 0.212, 0.034],
    machine: [0.329, 0.013, 0.125],
    little: 0.999,
    ceilingPerS: 29596,
    isCeilingReached: false,
  },
  {
    by: "delay",
    kind: "idle",
    rate: 498,
    server: [0.05, 0.069, 0.038, 0.005],
    database: null,
    generator: [0.039, 0.048, 0.035, 0.007],
    machine: [0.948, 0.005, 0.006],
    little: null,
    ceilingPerS: null,
    isCeilingReached: null,
  },
  {
    by: "a query that scans rows",
    kind: "database",
    rate: 356,
    server: [0.211, 0.839, 0.165, 0.474],
    database: [1.654, 4.749, 0.313, 0.531],
    generator: [0.068, 0.253, 0.064, 0.182],
    machine: [0.014, 0, 0.04],
    little: 1.002,
    ceilingPerS: 25800,
    isCeilingReached: false,
  },
  {
    by: "sql1, ten connections",
    kind: "unknown",
    rate: 7918,
    server: [0.839, 1.257, 0.658, 0.273],
    database: [0.239, 0.448, 0.149, 0.095],
    generator: [0.358, 0.558, 0.318, 0.174],
    machine: [0.223, 0, 0.116],
    little: 0.996,
    ceilingPerS: 27493,
    isCeilingReached: false,
  },
  {
    by: "canned bytes, beside eight busy loops",
    kind: "machine",
    rate: 19398,
    server: [0.351, 0.675, 0.316, 0.282],
    database: null,
    generator: [0.573, 1.182, 0.487, 0.423],
    machine: [0, 0.003, 1.069],
    little: 0.995,
    ceilingPerS: 19932,
    isCeilingReached: false,
  },
  {
    by: "a server that burns, beside four busy loops",
    kind: "machine",
    rate: 367,
    server: [0.64, 1.022, 0.635, 0.368],
    database: null,
    generator: [0.061, 0.174, 0.054, 0.095],
    machine: [0, 0, 1.299],
    little: 1.006,
    ceilingPerS: 8580,
    isCeilingReached: false,
  },
  {
    by: "a server that burns, beside one busy loop",
    kind: "machine",
    rate: 928,
    server: [0.9, 1.01, 0.894, 0.102],
    database: null,
    generator: [0.096, 0.111, 0.09, 0.014],
    machine: [0, 0.003, 0.997],
    little: 1.003,
    ceilingPerS: 19248,
    isCeilingReached: false,
  },
  {
    by: "text, on a virtual machine whose host is busy",
    kind: "machine",
    rate: 11924,
    server: [0.268, 0.416, 0.251, 0.087],
    database: null,
    generator: [0.432, 0.903, 0.385, 0.181],
    machine: [0.199, 0.365, 0.052],
    little: 0.993,
    ceilingPerS: null,
    isCeilingReached: null,
  },
  {
    by: "a query that scans rows, on that machine",
    kind: "database",
    rate: 305,
    server: [0.135, 0.661, 0.119, 0.408],
    database: [1.534, 5.228, 0.269, 0.583],
    generator: [0.063, 0.271, 0.062, 0.185],
    machine: [0.01, 0.078, 0.021],
    little: 1.012,
    ceilingPerS: null,
    isCeilingReached: null,
  },
];

Deno.test("decide judges what real runs recorded as it was, calm or beside busy programs", () => {
  const two: Cores = { machine: 2, server: 2, database: 2, generator: 2 };
  const componentOf = (component: Recorded | null): ComponentEvidence | null => {
    if (component === null) return null;
    const [cores, wantedCores, busiestThread, runQueueWait] = component;
    return { cores, wantedCores, busiestThread, runQueueWait };
  };
  for (
    const { by, kind: expected, rate, server, database, generator, machine, ...rest } of RECORDED
  ) {
    const [idle, steal, otherCores] = machine;
    const evidence: Evidence = {
      server: componentOf(server),
      database: componentOf(database),
      generator: componentOf(generator),
      machine: { idle, steal, otherCores },
      scaleGain: null,
      connectionsGain: null,
      ...rest,
    };
    const bottleneck = decide(evidence, rate, two);
    strictEqual(bottleneck.kind, expected, `${by}: ${bottleneck.reasons.join("; ")}`);
  }
  deepStrictEqual(
    new Set(RECORDED.map(({ kind: expected }) => expected)),
    new Set<BottleneckKind>(["server", "database", "generator", "idle", "machine", "unknown"]),
  );
});
