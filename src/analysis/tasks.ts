import type { CellKey } from "../model/derived.ts";

/** A scenario under a load: a number of connections, or a rate. */
export type Task = Omit<CellKey, "arm">;

/** Whether both are the same scenario under the same load. */
export function isSameTask(a: Task, b: Task): boolean {
  return a.scenario === b.scenario && a.connections === b.connections && a.perS === b.perS;
}

/** The task of something that is of one. */
export function taskOf({ scenario, connections, perS }: Task): Task {
  return { scenario, connections, perS };
}

/** What there is of each task, in the order in which the tasks come first; no group is empty. */
export function byTask<T extends Task>(all: readonly T[]): [T, ...T[]][] {
  const groups = Map.groupBy(
    all,
    ({ scenario, connections, perS }) => JSON.stringify([scenario, connections, perS]),
  );
  return [...groups.values()] as [T, ...T[]][];
}

/** Whether a scenario is there under several loads. */
export function isSweep(tasks: readonly Task[]): boolean {
  return byTask(tasks).length > new Set(tasks.map(({ scenario }) => scenario)).size;
}
