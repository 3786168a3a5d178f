/** Measures the start of servers, in fresh processes. */
import type { CostId } from "../model/costs.ts";
import { Failure } from "../model/errors.ts";
import type { Variant } from "../model/experiment.ts";
import { median } from "../stats/median.ts";
import { threadsUs } from "../target/usage.ts";
import type { RunContext } from "./run_context.ts";
import { startAll } from "./servers.ts";

/** Starts of each server in a round. A single slow one does not change their median. */
const STARTS = 3;

/** Starts the servers in turn, several times, so that the machine is alike for all of them. */
export async function measureStarts(
  { testbed, signal }: RunContext,
  variants: readonly Variant[],
  add: (variant: string, cost: CostId, value: number) => void,
): Promise<void> {
  const starts = new Map(
    variants.map(({ id }) => [id, { us: [] as number[], cpuUs: [] as number[] }]),
  );
  for (let i = 0; i < STARTS; i++) {
    for (const variant of i % 2 === 0 ? variants : variants.toReversed()) {
      signal.throwIfAborted();
      await using running = new AsyncDisposableStack();
      const all = await startAll(testbed.launch, [variant], running);
      for (const { started: { startUpS, pid } } of all) {
        if (startUpS === null) throw new Failure(`${variant.label}: its first response was wrong`);
        const own = starts.get(variant.id);
        own?.us.push(1e6 * startUpS);
        const cpuUs = pid === null ? null : threadsUs(pid);
        if (cpuUs !== null) own?.cpuUs.push(cpuUs);
      }
    }
  }
  for (const [variant, { us, cpuUs }] of starts) {
    add(variant, "startUpUs", median(us));
    if (cpuUs.length === STARTS) add(variant, "startUpCpuUs", median(cpuUs));
  }
}
