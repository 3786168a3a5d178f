import { text } from "../../scenarios/text.ts";
import type { SliceTarget } from "../load/driver/slices.ts";
import { type Block, type BlockResult, REFERENCE, type VariantFailure } from "../model/block.ts";
import type { Design } from "../model/experiment.ts";
import type { TrialFailure } from "../model/raw.ts";
import type { RunningServer } from "../target/launch.ts";
import { type RunContext, scenarioById, variantById } from "./run_context.ts";
import { assertRoom, explain, untilEnd } from "./servers.ts";

/**
 * Measures the blocks of one round: servers that run at the same time, loaded in turn. Every server is
 * started once; servers that already run are not stopped. Failed servers are left out.
 */
export async function measureBlocks(context: RunContext, blocks: readonly Block[]): Promise<void> {
  const { servers, recorder, report, emit, testbed, signal } = context;
  const needed = blocks.map(({ variants, scenario }) =>
    variants.filter((variant) => servers.knownFailure({ variant, scenario }) === null)
  ).filter((variants) => variants.length > 1).flat();
  const starting = [...new Set(needed)].filter((id) => !servers.running.has(id));
  const startFailures: Map<string, TrialFailure> = new Map();
  try {
    // All servers start at the same time.
    await Promise.all(starting.map(async (id) => {
      try {
        await servers.start(variantById(context, id));
      } catch (error) {
        startFailures.set(id, servers.startFailure(id, error));
      }
    }));
    signal.throwIfAborted();
    const started = [...servers.running].filter(([variant]) => starting.includes(variant));
    for (const [variant, { startUpS, idleRssBytes }] of started) {
      recorder.add("launches", {
        variant,
        round: blocks[0]?.round ?? 1,
        // Servers that start at the same time slow each other down.
        startUpS: started.length > 1 ? null : startUpS,
        idleRssBytes,
        handshakes: null,
      });
    }
    for (const block of blocks) {
      signal.throwIfAborted();
      await emit({ kind: "block", block });
      const startedAt = new Date().toISOString();
      const measured = await measureBlock(context, block, startFailures);
      const blockResult = { block, startedAt, ...measured };
      recorder.add("blocks", blockResult);
      if (recorder.isDue) await report(false);
      await emit({ kind: "sliced", blockResult });
      await testbed.assertSound();
      signal.throwIfAborted();
    }
  } finally {
    await Promise.all(starting.map((id) => servers.stop(id)));
  }
}

async function measureBlock(
  context: RunContext,
  block: Block,
  startFailures: ReadonlyMap<string, TrialFailure>,
): Promise<Pick<BlockResult, "slices" | "failures">> {
  const { experiment: { design }, servers, pool, signal } = context;
  const failures: VariantFailure[] = [];
  const fail = (variant: string, { kind, message }: TrialFailure): void =>
    void failures.push({ variant, kind: kind === "window" ? "slices" : kind, message });
  const loaded: { readonly server: RunningServer; readonly target: SliceTarget }[] = [];
  for (const variant of block.variants) {
    const known = servers.knownFailure({ ...block, variant }) ?? startFailures.get(variant);
    const server = servers.running.get(variant);
    if (known !== undefined) fail(variant, known);
    if (known !== undefined || server === undefined) continue;
    try {
      loaded.push({ server, target: await targetOf(context, variant, server, block) });
    } catch (error) {
      signal.throwIfAborted();
      const failure = await explain(error, server, "the server");
      servers.remember({ ...block, variant }, failure);
      fail(variant, failure);
    }
  }
  if (loaded.length < 2) return { slices: null, failures };
  const { connections, timeoutS, warmupS, mostWarmupS, durationS, round } = block;
  const { sliceMs, responses: sliceResponses } = design.slices as NonNullable<Design["slices"]>;
  const lengths = { timeoutS, warmupS, mostWarmupS, durationS, sliceMs, sliceResponses };
  const targets = loaded.map(({ target }) => target);
  // Revisions of a server use the network alike, so their ratio hardly depends on the distance
  const approaches = block.variants.includes(REFERENCE);
  const job = { targets, approaches, connections, ...lengths, seed: design.seed + round };
  try {
    const whileRunning = untilEnd(loaded.map(({ server }) => server), signal);
    return { slices: await pool.slices(job, whileRunning), failures };
  } catch (error) {
    signal.throwIfAborted();
    const gone = loaded.filter(({ server }) => server.process?.hasEnded);
    await Promise.all(
      (gone.length > 0 ? gone : loaded).map(async ({ target, server }) =>
        fail(target.variant, await explain(error, server, "the server"))
      ),
    );
    return { slices: null, failures };
  }
}

async function targetOf(
  context: RunContext,
  variant: string,
  server: RunningServer,
  block: Block,
): Promise<SliceTarget> {
  const { reference, servers, signal } = context;
  // The reference ignores the request, and always responds as in this scenario.
  const scenario = variant === reference?.id ? text : scenarioById(context, block.scenario);
  assertRoom(variantById(context, variant).server, block.connections);
  const { talk } = await servers.verifyOnce(server, scenario, signal);
  return { variant, pid: server.pid, earlyS: block.earlyS[variant] ?? 0, ...talk };
}
