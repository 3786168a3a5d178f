/** Measures the start of servers, in fresh processes. */
import type { CostId } from "../model/costs.ts";
import type { Variant } from "../model/experiment.ts";
import { dropPageCache } from "../process/page_cache.ts";
import { median } from "../stats/median.ts";
import { threadsUs } from "../target/usage.ts";
import type { RunContext } from "./run_context.ts";
import { startAll, VariantProblem } from "./servers.ts";

/** Starts of each server in a round. Two slow ones do not change their median. */
const STARTS = 5;

type Add = (variant: string, cost: CostId, value: number) => void;

/** Starts the servers in turn, several times, so that the machine is alike for all of them. */
export async function measureStarts(
  context: RunContext,
  variants: readonly Variant[],
  add: Add,
): Promise<void> {
  const starts = new Map(variants.map(({ id }) => [id, [] as Start[]]));
  for (let i = 0; i < STARTS; i++) {
    for (const variant of i % 2 === 0 ? variants : variants.toReversed()) {
      starts.get(variant.id)?.push(await startOnce(context, variant));
    }
  }
  for (const [variant, own] of starts) {
    add(variant, "startUpUs", median(own.map(({ us }) => us)));
    const cpuUs = own.flatMap(({ cpuUs }) => cpuUs ?? []);
    if (cpuUs.length === STARTS) add(variant, "startUpCpuUs", median(cpuUs));
  }
}

/** Starts each server once with an empty page cache. */
export async function measureColdStarts(
  context: RunContext,
  variants: readonly Variant[],
  add: Add,
): Promise<void> {
  for (const variant of variants) {
    await dropPageCache();
    const { us } = await startOnce(context, variant);
    add(variant.id, "coldStartUpUs", us);
  }
}

interface Start {
  readonly us: number;
  /** Null if the process is unknown. */
  readonly cpuUs: number | null;
}

async function startOnce({ testbed, signal }: RunContext, variant: Variant): Promise<Start> {
  signal.throwIfAborted();
  await using running = new AsyncDisposableStack();
  const [one] = await startAll(testbed.launch, [variant], running);
  const { startUpS = null, pid = null } = one?.started ?? {};
  if (startUpS === null) throw new VariantProblem(variant.label, "its first response was wrong");
  return { us: 1e6 * startUpS, cpuUs: pid === null ? null : threadsUs(pid) };
}
