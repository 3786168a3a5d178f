/** What the bottleneck of a result was, and what that rests on. */
import { Reason } from "./reason.ts";
import { amount, flag, list, nullable, number, object, oneOf, type Static } from "./schema.ts";

/** What kept a rate from being higher. */
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
  "How busy one program was: medians over the windows of a result; null: not known.",
  {
    cores: [number, "Cores that it kept busy."],
    wantedCores: [
      nullable(number),
      "Cores that it would have kept busy, had it never waited for a processor.",
    ],
    busiestThread: [nullable(number), "Share of the time that its busiest thread ran, 0 to 1."],
    runQueueWait: [
      nullable(number),
      "Share of the time that this thread waited for a processor, 0 to 1.",
    ],
  },
);
export interface ComponentEvidence extends Static<typeof ComponentEvidence> {}

export const MachineEvidence = object(
  "MachineEvidence",
  "The machine: medians over the windows of a result.",
  {
    idle: [number, "Share of its CPU time that was left idle, 0 to 1."],
    steal: [number, "Share of its CPU time that its host took for others, 0 to 1."],
    otherCores: [amount, "Cores that others used than server, database and generator."],
  },
);

export interface MachineEvidence extends Static<typeof MachineEvidence> {}

export const Evidence = object(
  "Evidence",
  "What a bottleneck rests on: medians over the windows of a result; null: not known.",
  {
    server: [nullable(ComponentEvidence), "The server."],
    database: [nullable(ComponentEvidence), "PostgreSQL, if Stampede brought it."],
    generator: [nullable(ComponentEvidence), "The load generator."],
    machine: [nullable(MachineEvidence), "The whole machine."],
    little: [
      nullable(amount),
      "Little's law: rate times mean latency over connections, the share of them with a request under way.",
    ],
    ceilingPerS: [
      nullable(amount),
      "Responses per second that the generator reached against canned bytes; null where that was not measured.",
    ],
    isCeilingReached: [
      nullable(flag),
      "Whether that was the generator's own maximum; if not, it could have reached more.",
    ],
    scaleGain: [
      nullable(number),
      "The least that twice the shards gained in any of the pairs: 0.1 is 10 %; null without a test.",
    ],
    connectionsGain: [nullable(number), "The same of twice the connections."],
  },
);
export interface Evidence extends Static<typeof Evidence> {}

export const Bottleneck = object("Bottleneck", "What the bottleneck of a result was, and why.", {
  kind: [BottleneckKind, "What kept the rate from being higher."],
  reasons: [list(Reason), "Why."],
  needsScaleTest: [
    nullable(oneOf("shards", "connections")),
    "Of what twice as many would tell, which has not been tried; null: of nothing.",
  ],
  evidence: [Evidence, "What it rests on."],
});
export interface Bottleneck extends Static<typeof Bottleneck> {}
