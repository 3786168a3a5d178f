/** Measures what servers cost apart from their rate, in fresh processes of each round. */
import { type CostGroup, type CostId, LOADED_GROUPS } from "../model/costs.ts";
import { Failure, messageOf } from "../model/errors.ts";
import { hideUrls } from "../model/text.ts";
import { measureIdle } from "./measure_idle.ts";
import { endLoaded, measureLoaded } from "./measure_loaded.ts";
import { measureStarts } from "./measure_starts.ts";
import type { RunContext } from "./run_context.ts";

/** Measures the costs of all variants in some rounds, and records what could not be measured. */
export async function measureCosts(
  context: RunContext,
  groups: readonly CostGroup[],
  rounds: readonly number[],
): Promise<void> {
  const { variants, recorder, report, emit, experiment: { load, scenarios } } = context;
  for (const round of rounds) {
    const order = round % 2 === 1 ? variants : variants.toReversed();
    const own = groups.filter((group) =>
      LOADED_GROUPS.includes(group)
        ? scenarios.some(({ id }) => !recorder.lacks(group, id))
        : !recorder.lacks(group, null)
    );
    if (own.length === 0) break;
    await emit({ kind: "phase", phase: { kind: "costs", round, groups: own } });
    const add = (variant: string, cost: CostId, value: number): void => {
      const key = { variant, round, scenario: null, perS: null };
      recorder.add("costs", { ...key, cost, value, isLate: false });
    };
    if (own.includes("startup")) {
      await attempt(context, ["startup"], () => measureStarts(context, order, add));
    }
    const idle = own.filter((group) => group === "memory" || group === "idle");
    if (idle.length > 0) {
      await attempt(context, idle, async () => {
        // An idle connection has no handshake here, so it would cost less than it does
        if (load.tls !== null) throw new Failure("idle connections need a load without TLS");
        await measureIdle(context, order, idle, add);
      });
    }
    await measureLoaded(context, order, own, round);
    await report(false);
  }
  endLoaded(context, groups);
}

/** Measures groups of costs. If that fails, it records the reason for all of them. */
async function attempt(
  { signal, testbed, recorder }: RunContext,
  groups: readonly CostGroup[],
  measure: () => Promise<void>,
): Promise<void> {
  try {
    await measure();
  } catch (error) {
    signal.throwIfAborted();
    await testbed.assertSound();
    const reason = { kind: "message", text: hideUrls(messageOf(error)) } as const;
    for (const group of groups) {
      recorder.add("costAbsences", { group, variant: null, scenario: null, round: null, reason });
    }
  }
}
