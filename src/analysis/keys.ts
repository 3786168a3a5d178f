/** Identifies results by variant, scenario and load, and groups items by them. */
import type { ResultKey } from "../model/derived.ts";
import type { Trial } from "../model/experiment.ts";

/** A scenario under a load: a number of connections, or a rate. */
export type Workload = Omit<ResultKey, "variant">;

/** Returns whether both mean the same scenario under the same load. */
export function isSameWorkload(a: Workload, b: Workload): boolean {
  return a.scenario === b.scenario && a.connections === b.connections && a.perS === b.perS;
}

/** Returns whether both keys mean the same server at the same workload. */
export function isSameResult(a: ResultKey, b: ResultKey): boolean {
  return a.variant === b.variant && isSameWorkload(a, b);
}

/** Returns the workload of a result, without its other properties. */
export function workloadOf({ scenario, connections, perS }: Workload): Workload {
  return { scenario, connections, perS };
}

/** Returns the key of a result, without its other properties. */
export function keyOf({ variant, ...of }: ResultKey): ResultKey {
  return { variant, ...workloadOf(of) };
}

/** Returns the key of the result that a trial belongs to. */
export function resultKeyOf({ variant, scenario, load, workloadConnections }: Trial): ResultKey {
  return {
    variant,
    scenario,
    connections: workloadConnections ?? load.connections,
    perS: load.open?.perS ?? null,
  };
}

/** Groups items by workload, in order of first occurrence. No group is empty. */
export function byWorkload<T extends Workload>(all: readonly T[]): [T, ...T[]][] {
  return grouped(all, workloadOf);
}

/** Groups items by the result to which they belong, in order of first occurrence. No group is empty. */
export function byResult<T>(all: readonly T[], key: (item: T) => ResultKey): [T, ...T[]][] {
  return grouped(all, (item) => keyOf(key(item)));
}

function grouped<T>(all: readonly T[], key: (item: T) => object): [T, ...T[]][] {
  return [...Map.groupBy(all, (item) => JSON.stringify(key(item))).values()] as [T, ...T[]][];
}

/** Returns whether at least one scenario has several loads. */
export function isSweep(workloads: readonly Workload[]): boolean {
  return byWorkload(workloads).length > new Set(workloads.map(({ scenario }) => scenario)).size;
}
