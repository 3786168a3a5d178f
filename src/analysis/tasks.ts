import type { CellKey } from "../model/derived.ts";

/** A scenario under a number of connections. */
export type Task = Omit<CellKey, "arm">;

/** Whether both are the same scenario under the same number of connections. */
export function isSameTask(a: Task, b: Task): boolean {
  return a.scenario === b.scenario && a.connections === b.connections;
}

/** What there is of each task, in the order in which the tasks come first; no group is empty. */
export function byTask<T extends Task>(all: readonly T[]): [T, ...T[]][] {
  const groups = Map.groupBy(
    all,
    ({ scenario, connections }) => JSON.stringify([scenario, connections]),
  );
  return [...groups.values()] as [T, ...T[]][];
}

/** Whether a scenario is there under several numbers of connections. */
export function isSweep(tasks: readonly Task[]): boolean {
  return byTask(tasks).length > new Set(tasks.map(({ scenario }) => scenario)).size;
}
