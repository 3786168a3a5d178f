import { Failure, messageOf } from "../model/errors.ts";
import { hideQueries } from "../model/secrets.ts";
import type { SlicesJob, SliceTarget } from "../load/slicer.ts";
import type { ArmFailure, Block, BlockResult, Slices } from "../model/block.ts";
import type { Arm, SliceDesign } from "../model/experiment.ts";
import type { LaunchRecord } from "../model/raw.ts";
import type { Facts, Scenario } from "../model/scenario.ts";
import { describeEnd } from "../process/child.ts";
import type { RunningServer } from "../target/launch.ts";
import { assertRoom, verified, WrongAnswer } from "./verified.ts";

/** What blocks are measured with. */
export interface BlocksContext {
  /** Those that can be measured, the reference too, by their ids. */
  readonly arms: ReadonlyMap<string, Arm>;
  /** What they are asked, by the scenarios' ids. */
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** What the reference is asked instead; null: there is none. */
  readonly reference: { readonly id: string; readonly scenario: Scenario } | null;
  readonly design: SliceDesign;
  readonly seed: number;
  readonly facts: Facts;
  /** Processors to be kept from falling asleep. */
  readonly awakeCpus: readonly number[];
  slices(job: SlicesJob, signal: AbortSignal): Promise<Slices>;
  /** Starts a server and waits until it answers. */
  launch(arm: Arm): Promise<RunningServer>;
  /** Throws if something that every block needs has ended, such as the database. */
  assertSound(): Promise<void>;
  readonly onEvent: (event: BlocksEvent) => void | Promise<void>;
  readonly abort: AbortSignal;
}

/** What is told while blocks are measured. */
export type BlocksEvent =
  | { readonly kind: "launch"; readonly launch: LaunchRecord }
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "sliced"; readonly result: BlockResult };

/** The servers of a round: those that run, and why others do not. */
interface Crew extends AsyncDisposable {
  readonly running: ReadonlyMap<string, RunningServer>;
  readonly failures: readonly ArmFailure[];
}

/**
 * Measures the blocks of one round: every server is started once, all of them live at the same time, and
 * each scenario is loaded in slices. A server that fails is left out, and the others go on.
 *
 * @param kept servers that run already, by their arms; they are not stopped
 * @throws {Failure} if nothing more can be measured.
 * @throws the reason of `abort`.
 */
export async function runBlocks(
  blocks: readonly Block[],
  context: BlocksContext,
  kept: ReadonlyMap<string, RunningServer> = new Map(),
): Promise<void> {
  const { onEvent, assertSound, abort } = context;
  if (blocks.length === 0) return;
  await using crew = await assemble(blocks, context, kept);
  for (const block of blocks) {
    abort.throwIfAborted();
    await onEvent({ kind: "block", block });
    const startedAt = new Date().toISOString();
    const { slices, failures } = await measureBlock(block, crew, context);
    await onEvent({ kind: "sliced", result: { block, startedAt, slices, failures } });
    await assertSound();
    abort.throwIfAborted();
  }
}

/** Starts every server that the blocks need, all at once. */
async function assemble(
  blocks: readonly Block[],
  context: BlocksContext,
  kept: ReadonlyMap<string, RunningServer>,
): Promise<Crew> {
  const { arms, launch, onEvent, abort } = context;
  const round = blocks[0]?.round ?? 1;
  const ids = [...new Set(blocks.flatMap(({ arms }) => arms))];
  const started = new Map<string, RunningServer>();
  const failures: ArmFailure[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all([...started.values()].map((server) => server[Symbol.asyncDispose]()));
  };
  await Promise.all(
    ids.filter((id) => !kept.has(id)).map(async (id) => {
      try {
        started.set(id, await launch(arms.get(id) as Arm));
      } catch (error) {
        failures.push({ arm: id, kind: "start", message: hideQueries(messageOf(error)) });
      }
    }),
  );
  try {
    abort.throwIfAborted();
    for (const [arm, { startUpS, idleRssBytes }] of started) {
      // Servers that start at the same time keep each other waiting
      const launched = { arm, round, startUpS: started.size > 1 ? null : startUpS, idleRssBytes };
      await onEvent({ kind: "launch", launch: launched });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const running = new Map([...kept, ...started]);
  return { running, failures, [Symbol.asyncDispose]: stop };
}

async function measureBlock(
  block: Block,
  { running, failures: unstarted }: Crew,
  context: BlocksContext,
): Promise<Pick<BlockResult, "slices" | "failures">> {
  const { design, seed, slices, awakeCpus, abort } = context;
  const failures = unstarted.filter(({ arm }) => block.arms.includes(arm));
  const targets: SliceTarget[] = [];
  for (const id of block.arms) {
    const server = running.get(id);
    if (server === undefined) continue;
    try {
      targets.push(await targetOf(id, server, block, context));
    } catch (error) {
      abort.throwIfAborted();
      failures.push(await failureOf(id, server, error));
    }
  }
  if (targets.length < 2) return { slices: null, failures };
  const { connections, timeoutS, warmupS, durationS, round } = block;
  const { sliceMs, answers: sliceAnswers } = design;
  const length = { warmupS, durationS, sliceMs, sliceAnswers };
  const job = { targets, connections, timeoutS, ...length, awakeCpus };
  const ended = new AbortController();
  const servers = targets.map(({ arm }) => ({ arm, server: running.get(arm) as RunningServer }));
  for (const { server: { process } } of servers) {
    process?.ended.then(() => ended.abort(new Failure("A server ended")));
  }
  try {
    const signal = AbortSignal.any([abort, ended.signal]);
    return { slices: await slices({ ...job, seed: seed + round }, signal), failures };
  } catch (error) {
    abort.throwIfAborted();
    const gone = servers.filter(({ server }) => server.process?.hasEnded);
    const reasons = await Promise.all(
      (gone.length > 0 ? gone : servers).map(({ arm, server }) => failureOf(arm, server, error)),
    );
    return { slices: null, failures: [...failures, ...reasons] };
  }
}

/** @throws {WrongAnswer} or {Failure} if this arm cannot be loaded. */
async function targetOf(
  arm: string,
  { origin, pid }: RunningServer,
  { scenario: id, connections }: Block,
  { arms, scenarios, reference, facts, abort }: BlocksContext,
): Promise<SliceTarget> {
  const scenario = arm === reference?.id ? reference.scenario : scenarios.get(id) as Scenario;
  assertRoom((arms.get(arm) as Arm).server, connections);
  const { body: expected } = await verified(origin, scenario, facts, abort);
  return { arm, origin, pid, request: scenario.request, expected };
}

/** Why an arm has no slices; if its server has ended, that is the cause. */
async function failureOf(
  arm: string,
  { process }: RunningServer,
  error: unknown,
): Promise<ArmFailure> {
  if (process?.hasEnded) {
    const message = `the server ${describeEnd(await process.ended)}${process.lastWords}`;
    return { arm, kind: "slices", message };
  }
  const kind = error instanceof WrongAnswer
    ? "verification"
    : error instanceof Failure
    ? "slices"
    : "start";
  return { arm, kind, message: hideQueries(messageOf(error)) };
}
