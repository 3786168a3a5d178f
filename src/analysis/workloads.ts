import type { ResultKey } from "../model/derived.ts";

/** A scenario under a load: a number of connections, or a rate. */
export type Workload = Omit<ResultKey, "variant">;

/** Whether both are the same scenario under the same load. */
export function isSameWorkload(a: Workload, b: Workload): boolean {
  return a.scenario === b.scenario && a.connections === b.connections && a.perS === b.perS;
}

/** The workload of something that is of one. */
export function workloadOf({ scenario, connections, perS }: Workload): Workload {
  return { scenario, connections, perS };
}

/** What there is of each workload, in the order in which the workloads come first; no group is empty. */
export function byWorkload<T extends Workload>(all: readonly T[]): [T, ...T[]][] {
  const groups = Map.groupBy(
    all,
    ({ scenario, connections, perS }) => JSON.stringify([scenario, connections, perS]),
  );
  return [...groups.values()] as [T, ...T[]][];
}

/** Whether a scenario is there under several loads. */
export function isSweep(workloads: readonly Workload[]): boolean {
  return byWorkload(workloads).length > new Set(workloads.map(({ scenario }) => scenario)).size;
}
