import type { VariantRecord } from "../model/experiment.ts";
import type { Result } from "../model/derived.ts";
import type { RankingMetric } from "../model/figures.ts";
import type { Scaling } from "../model/scaling.ts";
import { isSameResult, keyOf } from "./result_key.ts";
import { compare, type MeasuredRun } from "./comparisons.ts";
import { workloadOf } from "./workloads.ts";
import type { ResultContext } from "./derive_results.ts";

/**
 * Returns the effect of more workers for each server at each workload, in the order of the number of workers.
 */
export function deriveScaling(
  measured: MeasuredRun,
  results: readonly Result[],
  variants: readonly VariantRecord[],
  { cores, needs }: ResultContext,
): Scaling[] {
  const workersOf = ({ env }: VariantRecord): number => Number(env.WORKERS ?? 1);
  const sorted = variants.toSorted((a, b) => workersOf(a) - workersOf(b));
  const known = results.filter(({ status }) => status === "ok");
  return known.flatMap((result): Scaling[] => {
    const variant = variants.find(({ id }) => id === result.variant);
    const base = variant &&
      sorted.find(({ id, server }) =>
        server === variant.server &&
        known.some((one) => isSameResult(one, { ...result, variant: id }))
      );
    if (variant === undefined || base === undefined) return [];
    const [workers, baseWorkers] = [workersOf(variant), workersOf(base)];
    const beside = (metric: RankingMetric): Scaling["rate"] =>
      variant === base
        ? null
        : compare(measured, { ...workloadOf(result), a: variant.id, b: base.id, metric });
    const rate = beside("requestsPerS");
    // Each worker, the load generator and a database may keep one core busy.
    const busy = workers + 1 + ((needs.get(result.scenario)?.queries ?? 0) > 0 ? 1 : 0);
    const isApart = cores.server < (cores.machine ?? Infinity) && cores.server >= workers;
    return [{
      ...keyOf(result),
      server: variant.server,
      workers,
      baseWorkers,
      rate,
      cpu: beside("serverCpuUs"),
      efficiency: rate === null ? null : rate.ratio * baseWorkers / workers,
      isShared: !isApart && cores.server < busy,
    }];
  }).sort((a, b) => a.workers - b.workers);
}
