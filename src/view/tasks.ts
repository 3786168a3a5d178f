/** How tasks are called. */
import { isSweep, type Task } from "../analysis/tasks.ts";
import { count } from "./format.ts";

/** Names tasks by their scenarios, and by their connections where a scenario is there under several numbers of them. */
export function taskNamer(tasks: readonly Task[]): (task: Task) => string {
  const isOfSweep = (scenario: string): boolean =>
    isSweep(tasks.filter((task) => task.scenario === scenario));
  return ({ scenario, connections }) =>
    isOfSweep(scenario) ? `${scenario} at ${count(connections, "connection")}` : scenario;
}
