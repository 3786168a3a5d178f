/** The bottleneck of a result, and the evidence for it. */
import { Reason } from "./reason.ts";
import * as s from "./json_schema.ts";

/** What limited a rate (docs/methodology.md). */
export const BottleneckKind = s.oneOf(
  "server",
  "database",
  "generator",
  "connections",
  "idle",
  "machine",
  "unknown",
);
export type BottleneckKind = s.Static<typeof BottleneckKind>;

export const ComponentEvidence = s.object(
  "ComponentEvidence",
  "CPU use of one program, as medians over the windows of a result; null if unknown.",
  {
    cores: [s.number, "Cores that the program used."],
    wantedCores: [
      s.nullable(s.number),
      "Cores that the program would have used if it had never waited for a processor.",
    ],
    busiestThread: [s.nullable(s.number), "Share of time that its busiest thread ran, 0 to 1."],
    runQueueWait: [
      s.nullable(s.number),
      "Share of time that this thread waited for a processor, 0 to 1.",
    ],
  },
);
export interface ComponentEvidence extends s.Static<typeof ComponentEvidence> {}

export const MachineEvidence = s.object(
  "MachineEvidence",
  "The whole machine, as medians over the windows of a result.",
  {
    idle: [s.number, "Idle share of CPU time, 0 to 1."],
    steal: [s.number, "Share of CPU time that the virtual machine's host took, 0 to 1."],
    otherCores: [
      s.amount,
      "Cores used by programs other than server, database and load generator.",
    ],
  },
);

export interface MachineEvidence extends s.Static<typeof MachineEvidence> {}

export const Evidence = s.object(
  "Evidence",
  "Evidence for a bottleneck, as medians over the windows of a result; null if unknown.",
  {
    server: [s.nullable(ComponentEvidence), "The server."],
    database: [s.nullable(ComponentEvidence), "PostgreSQL, if Stampede started it."],
    generator: [s.nullable(ComponentEvidence), "The load generator."],
    machine: [s.nullable(MachineEvidence), "The whole machine."],
    little: [
      s.nullable(s.amount),
      "Share of connections with a pending request, by Little's law: rate times mean latency divided by connections.",
    ],
    ceilingPerS: [
      s.nullable(s.amount),
      "Responses per second of the generator against canned bytes; null if not measured.",
    ],
    isCeilingReached: [
      s.nullable(s.flag),
      "Whether this was the generator's own maximum. If not, it could have reached more.",
    ],
    scaleGain: [
      s.nullable(s.number),
      "Smallest gain from doubling the shards in any pair of windows: 0.1 is 10 %. Null without a scale test.",
    ],
    connectionsGain: [
      s.nullable(s.number),
      "Smallest gain from doubling the connections, likewise.",
    ],
  },
);
export interface Evidence extends s.Static<typeof Evidence> {}

export const Bottleneck = s.object("Bottleneck", "The bottleneck of a result, and why.", {
  kind: [
    BottleneckKind,
    "The component that limits the rate. `idle`: nothing was busy. `unknown`: the evidence does not decide.",
  ],
  reasons: [s.list(Reason), "The reasons."],
  needsScaleTest: [
    s.nullable(s.oneOf("shards", "connections")),
    "Scale test that would decide but was not run; null if none.",
  ],
  evidence: [Evidence, "The evidence."],
});
export interface Bottleneck extends s.Static<typeof Bottleneck> {}
