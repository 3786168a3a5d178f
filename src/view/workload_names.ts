/** Names workloads. */
import type { Workload } from "../analysis/workloads.ts";
import { count } from "../model/format.ts";
import { rate } from "./format.ts";

/** Returns a function that names workloads by scenario, with the load if the scenario has several. */
export function workloadNamer(workloads: readonly Workload[]): (workload: Workload) => string {
  const loads = Map.groupBy(workloads, ({ scenario }) => scenario);
  return (workload) => {
    const own = new Set(loads.get(workload.scenario)?.map(loadOf));
    return own.size > 1 ? `${workload.scenario} at ${loadOf(workload)}` : workload.scenario;
  };
}

/**
 * Returns the load of a workload as text: its rate in an open loop, otherwise its number of
 * connections.
 */
export function loadOf({ connections, perS }: Workload): string {
  return perS === null ? count(connections, "connection") : `${rate(perS)}/s`;
}
