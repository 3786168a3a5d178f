/** Experiments that isolate why merged percentiles of a fast server are above those of one k6 process. */
import type { DistributedScenario } from "../../src/model/distributed.ts";
import type { ClusterCase } from "./case.ts";
import { ANY_TIME, exported, type Lab, merged, msOf, plain, sumOf } from "./loads.ts";
import { startServer } from "./servers.ts";

/** Loads of each kind, in turn with the others. */
const TIMES = 2;

/** A kind of load. Only one property differs from another kind. */
interface Kind {
  readonly name: string;
  /** Runners in the cluster, or k6 processes without Kubernetes. */
  readonly by: "runners" | "processes";
  readonly count: number;
  readonly perS?: number;
  readonly users?: number;
  readonly durationS?: number;
  /** Processors that a runner may use. */
  readonly cpu?: string;
}

const KINDS: readonly Kind[] = [
  { name: "one process", by: "processes", count: 1 },
  { name: "four processes", by: "processes", count: 4 },
  { name: "one runner", by: "runners", count: 1 },
  { name: "four runners", by: "runners", count: 4 },
  { name: "four runners, limit of 2 CPUs", by: "runners", count: 4, cpu: "2" },
  { name: "one process, a quarter of the rate", by: "processes", count: 1, perS: 100 },
  { name: "one process, a quarter of the users", by: "processes", count: 1, users: 64 },
  { name: "four runners, a quarter of the users", by: "runners", count: 4, users: 64 },
  { name: "one process, four times as long", by: "processes", count: 1, durationS: 40 },
  { name: "four runners, four times as long", by: "runners", count: 4, durationS: 40 },
];

async function load(lab: Lab, target: string, kind: Kind): Promise<DistributedScenario> {
  const { by, count, perS = 400, users = 256, durationS = 10, cpu = "1" } = kind;
  const args = [
    ...["text", "--target", target, ...ANY_TIME, "--rate", String(perS)],
    ...["--users", String(users), "--duration", String(durationS)],
    ...["--parallelism", String(count), "--runner-cpu", cpu],
  ];
  if (by === "runners") return await merged(lab, args);
  await exported(lab, args);
  return await plain(lab, target, { processes: count });
}

/** Measures all kinds in turn, and prints a table. */
async function measure(lab: Lab, kinds: readonly Kind[]): Promise<string> {
  await using server = await startServer(lab.scope, lab.cluster, "own");
  const loads = kinds.map((): DistributedScenario[] => []);
  for (let time = 0; time < TIMES; time++) {
    for (const [i, kind] of kinds.entries()) loads[i]?.push(await load(lab, server.origin, kind));
  }
  lab.say("| load | p50 ms | p50 of each | p90 ms | p99 ms | p99 of each |");
  lab.say("| --- | ---: | --- | ---: | ---: | --- |");
  for (const [i, { name }] of kinds.entries()) {
    const of = loads[i] ?? [];
    const all = sumOf(of);
    const each = (p: number): string => of.map((one) => msOf(sumOf([one]), p)).join(", ");
    const cells = [name, msOf(all, 0.5), each(0.5), msOf(all, 0.9), msOf(all, 0.99), each(0.99)];
    lab.say(`| ${cells.join(" | ")} |`);
  }
  return `${TIMES} loads of each kind`;
}

export const DIFFERENCES: readonly ClusterCase[] = [
  {
    id: "differences",
    what: "(percentiles of text by number of runners, rate, users, length and limits)",
    layout: "shared",
    isOptional: true,
    run: (lab) => measure(lab, KINDS),
  },
  {
    id: "core-differences",
    what: "(percentiles of text with a processor for runners)",
    layout: "separate",
    isOptional: true,
    run: (lab) => measure(lab, KINDS.filter(({ by, count }) => by === "processes" || count === 1)),
  },
];
