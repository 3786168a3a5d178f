import type { Objective } from "../model/objective.ts";
import { share } from "./format.ts";

/** An objective in words: `p99 < 10 ms, errors < 0.1 %`. */
export function describeObjective({ latencies, errorShare }: Objective): string {
  return [
    ...latencies.map(({ percentile, us }) =>
      `p${Number((100 * percentile).toPrecision(6))} < ${limit(us)}`
    ),
    ...(errorShare === null ? [] : [`errors < ${share(errorShare)}`]),
  ].join(", ");
}

function limit(us: number): string {
  if (us < 1000) return `${us} µs`;
  return us < 1e6 ? `${us / 1000} ms` : `${us / 1e6} s`;
}
