/** The bottleneck of a result, and the evidence for it. */
import { Reason } from "./reason.ts";
import { amount, flag, list, nullable, number, object, oneOf, type Static } from "./json_schema.ts";

/** What limited a rate (docs/methodology.md). */
export const BottleneckKind = oneOf(
  "server",
  "database",
  "generator",
  "connections",
  "idle",
  "machine",
  "unknown",
);
export type BottleneckKind = Static<typeof BottleneckKind>;

export const ComponentEvidence = object(
  "ComponentEvidence",
  "CPU use of one program, as medians over the windows of a result; null if unknown.",
  {
    cores: [number, "Cores that the program used."],
    wantedCores: [
      nullable(number),
      "Cores that the program would have used if it had never waited for a processor.",
    ],
    busiestThread: [nullable(number), "Share of time that its busiest thread ran, 0 to 1."],
    runQueueWait: [
      nullable(number),
      "Share of time that this thread waited for a processor, 0 to 1.",
    ],
  },
);
export interface ComponentEvidence extends Static<typeof ComponentEvidence> {}

export const MachineEvidence = object(
  "MachineEvidence",
  "The whole machine, as medians over the windows of a result.",
  {
    idle: [number, "Idle share of CPU time, 0 to 1."],
    steal: [number, "Share of CPU time that the virtual machine's host took, 0 to 1."],
    otherCores: [amount, "Cores used by programs other than server, database and load generator."],
  },
);

export interface MachineEvidence extends Static<typeof MachineEvidence> {}

export const Evidence = object(
  "Evidence",
  "Evidence for a bottleneck, as medians over the windows of a result; null if unknown.",
  {
    server: [nullable(ComponentEvidence), "The server."],
    database: [nullable(ComponentEvidence), "PostgreSQL, if Stampede started it."],
    generator: [nullable(ComponentEvidence), "The load generator."],
    machine: [nullable(MachineEvidence), "The whole machine."],
    little: [
      nullable(amount),
      "Share of connections with a pending request, by Little's law: rate times mean latency divided by connections.",
    ],
    ceilingPerS: [
      nullable(amount),
      "Responses per second of the generator against canned bytes; null if not measured.",
    ],
    isCeilingReached: [
      nullable(flag),
      "Whether this was the generator's own maximum. If not, it could have reached more.",
    ],
    scaleGain: [
      nullable(number),
      "Smallest gain from doubling the shards in any pair of windows: 0.1 is 10 %. Null without a scale test.",
    ],
    connectionsGain: [nullable(number), "Smallest gain from doubling the connections, likewise."],
  },
);
export interface Evidence extends Static<typeof Evidence> {}

export const Bottleneck = object("Bottleneck", "The bottleneck of a result, and why.", {
  kind: [
    BottleneckKind,
    "The component that limits the rate. `idle`: nothing was busy. `unknown`: the evidence does not decide.",
  ],
  reasons: [list(Reason), "The reasons."],
  needsScaleTest: [
    nullable(oneOf("shards", "connections")),
    "Scale test that would decide but was not run; null if none.",
  ],
  evidence: [Evidence, "The evidence."],
});
export interface Bottleneck extends Static<typeof Bottleneck> {}
