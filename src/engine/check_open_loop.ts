import type { Load, OpenLoad } from "../model/experiment.ts";
import type { RunContext } from "./run_context.ts";

/**
 * Compares the open loop with queueing theory at one rate and records the outcome. Takes about four seconds.
 */
export async function checkOpenLoop(
  { emit, pool, recorder, signal }: RunContext,
  { open, connections }: Pick<Load, "connections"> & { readonly open: OpenLoad },
): Promise<void> {
  await emit({ kind: "phase", phase: { kind: "open-check", perS: open.perS } });
  recorder.addOpenCheck(await pool.checkOpenLoop(open, connections, signal));
}
