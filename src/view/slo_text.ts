import type { SloCheck } from "../model/distributed.ts";
import type { Slo } from "../model/slo.ts";
import { share } from "../model/format.ts";

/** Returns an SLO as text: `p99 < 10 ms, errors < 0.1 %`. */
export function describeSlo({ latencies, errorShare }: Slo): string {
  return [
    ...latencies.map(({ percentile, us }) => describeLimit({ percentile, limit: us })),
    ...(errorShare === null ? [] : [describeLimit({ percentile: null, limit: errorShare })]),
  ].join(", ");
}

/** Returns one limit of an SLO as text: `p99 < 10 ms`. */
export function describeLimit(
  { percentile, limit }: Pick<SloCheck, "percentile" | "limit">,
): string {
  return percentile === null
    ? `errors < ${share(limit)}`
    : `p${Number((100 * percentile).toPrecision(6))} < ${time(limit)}`;
}

function time(us: number): string {
  if (us < 1000) return `${us} µs`;
  return us < 1e6 ? `${us / 1000} ms` : `${us / 1e6} s`;
}
