/** How workloads are called. */
import type { Workload } from "../analysis/workloads.ts";
import { count, rate } from "./format.ts";

/** Names workloads by their scenarios, and by their load where a scenario is there under several. */
export function workloadNamer(workloads: readonly Workload[]): (workload: Workload) => string {
  const loads = Map.groupBy(workloads, ({ scenario }) => scenario);
  return (workload) => {
    const own = new Set(loads.get(workload.scenario)?.map(loadOf));
    return own.size > 1 ? `${workload.scenario} at ${loadOf(workload)}` : workload.scenario;
  };
}

/** The load of a workload: its rate in an open loop, or else its connections. */
export function loadOf({ connections, perS }: Workload): string {
  return perS === null ? count(connections, "connection") : `${rate(perS)}/s`;
}
