/** How tasks are called. */
import type { Task } from "../analysis/tasks.ts";
import { count, rate } from "./format.ts";

/** Names tasks by their scenarios, and by their load where a scenario is there under several. */
export function taskNamer(tasks: readonly Task[]): (task: Task) => string {
  const loads = Map.groupBy(tasks, ({ scenario }) => scenario);
  return (task) => {
    const own = new Set(loads.get(task.scenario)?.map(loadOf));
    return own.size > 1 ? `${task.scenario} at ${loadOf(task)}` : task.scenario;
  };
}

/** The load of a task: its rate in an open loop, or else its connections. */
export function loadOf({ connections, perS }: Task): string {
  return perS === null ? count(connections, "connection") : `${rate(perS)}/s`;
}
