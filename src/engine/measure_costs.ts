/** Measures what servers cost apart from their rate, in fresh processes of each round. */
import type { CostGroup, CostId, CostKey } from "../model/costs.ts";
import { Failure, messageOf } from "../model/errors.ts";
import type { Variant } from "../model/experiment.ts";
import { hideUrls } from "../model/text.ts";
import { measureIdle, measureMemory, measureQuiet, startIdle } from "./measure_idle.ts";
import { endLoaded, measureLoaded } from "./measure_loaded.ts";
import { measureColdStarts, measureStarts } from "./measure_starts.ts";
import type { RunContext } from "./run_context.ts";
import { VariantProblem } from "./servers.ts";

/** Measures the costs of all variants in some rounds, and records what could not be measured. */
export async function measureCosts(
  context: RunContext,
  keys: readonly CostKey[],
  rounds: readonly number[],
): Promise<void> {
  const { variants, recorder, report, emit, experiment } = context;
  for (const round of rounds) {
    const order = round % 2 === 1 ? variants : variants.toReversed();
    // The sides of versus share the noise of the machine. Other runs measure one server at a time
    const isPaired = experiment.kind === "versus";
    const all = isPaired ? [order] : order.map((variant) => [variant]);
    const open = keys.filter((key) => all.some((own) => !recorder.lacks(key, alone(own))));
    if (open.length === 0) break;
    const groups = [...new Set(open.map(({ group }) => group))];
    await emit({ kind: "phase", phase: { kind: "costs", round, groups } });
    for (const variants of all) await measureUnloaded(context, variants, open, round);
    await measureLoaded(context, order, open, round);
    await report(false);
  }
  endLoaded(context, keys);
}

/** Measures the groups without load, for variants that are measured together. */
async function measureUnloaded(
  context: RunContext,
  variants: readonly Variant[],
  keys: readonly CostKey[],
  round: number,
): Promise<void> {
  const { recorder, experiment: { load } } = context;
  const own = keys.filter((key) => key.scenario === null && !recorder.lacks(key, alone(variants)))
    .map(({ group }) => group);
  const add = (variant: string, cost: CostId, value: number): void => {
    const key = { variant, round, scenario: null, perS: null };
    recorder.add("costs", { ...key, cost, value, isLate: false });
  };
  if (own.includes("startup")) {
    await attempt(context, variants, ["startup"], () => measureStarts(context, variants, add));
  }
  if (own.includes("cold")) {
    await attempt(context, variants, ["cold"], () => measureColdStarts(context, variants, add));
  }
  const idle = own.filter((group) => group === "memory" || group === "idle");
  if (idle.length === 0) return;
  await attempt(context, variants, idle, async () => {
    // An idle connection has no handshake here, so it would cost less than it does
    if (load.tls !== null) throw new Failure("idle connections need a load without TLS");
    await using running = new AsyncDisposableStack();
    const servers = await startIdle(context, variants, running);
    if (own.includes("idle")) await measureIdle(context, servers, add);
    if (!own.includes("memory")) return;
    // A server may accept fewer connections
    await attempt(context, variants, ["memory"], () => measureMemory(context, servers, add));
  });
  if (own.includes("idle") && !recorder.lacks({ group: "idle", scenario: null }, alone(variants))) {
    await attempt(context, variants, ["idle"], () => measureQuiet(context, variants, add));
  }
}

/** Returns the id of the only variant; null for several. */
function alone([first, ...others]: readonly Variant[]): string | null {
  return others.length === 0 ? first?.id ?? null : null;
}

/** Measures groups of costs. If that fails, it records the reason for all of them. */
async function attempt(
  { signal, testbed, recorder }: RunContext,
  variants: readonly Variant[],
  groups: readonly CostGroup[],
  measure: () => Promise<void>,
): Promise<void> {
  try {
    await measure();
  } catch (error) {
    signal.throwIfAborted();
    await testbed.assertSound();
    const variant = alone(variants);
    // The place of an absence names its only variant
    const text = variant !== null && error instanceof VariantProblem
      ? error.problem
      : messageOf(error);
    const reason = { kind: "message", text: hideUrls(text) } as const;
    for (const group of groups) {
      const key = { group, variant, scenario: null, round: null };
      recorder.add("costAbsences", { ...key, reason });
    }
  }
}
