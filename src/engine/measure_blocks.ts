import { Failure, messageOf } from "../model/errors.ts";
import { hideUrls } from "../model/secrets.ts";
import type { SlicesJob, SliceTarget } from "../load/slicer.ts";
import type { Block, BlockResult, Slices, VariantFailure } from "../model/block.ts";
import type { SliceDesign, Variant } from "../model/experiment.ts";
import type { LaunchRecord } from "../model/raw.ts";
import type { Facts, Scenario } from "../model/scenario.ts";
import type { RunningServer } from "../target/launch.ts";
import { assertRoom, verified, verifiedMix, WrongResponse } from "./verified.ts";

/** Inputs for measuring blocks. */
export interface BlocksContext {
  /** Variants that can be measured, including the reference, by id. */
  readonly variants: ReadonlyMap<string, Variant>;
  /** Scenarios by id. */
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** The reference's id and the scenario that it implements; null without a reference. */
  readonly reference: { readonly id: string; readonly scenario: Scenario } | null;
  readonly design: SliceDesign;
  readonly seed: number;
  readonly facts: Facts;
  slices(job: SlicesJob, signal: AbortSignal): Promise<Slices>;
  /** Starts a server and waits until it answers. */
  launch(variant: Variant): Promise<RunningServer>;
  /** Throws if something that every block needs has ended, such as the database. */
  assertSound(): Promise<void>;
  readonly onEvent: (event: BlocksEvent) => void | Promise<void>;
  readonly abort: AbortSignal;
}

/** An event while blocks are measured. */
export type BlocksEvent =
  | { readonly kind: "launch"; readonly launch: LaunchRecord }
  | { readonly kind: "block"; readonly block: Block }
  | { readonly kind: "sliced"; readonly blockResult: BlockResult };

/** The servers of a round: the running ones, and why others do not run. */
interface RoundServers extends AsyncDisposable {
  readonly running: ReadonlyMap<string, RunningServer>;
  readonly failures: readonly VariantFailure[];
}

/**
 * Measures blocks: servers that run at the same time and are loaded in turn, in slices. Failed servers are
 * left out.
 */
export class Blocks {
  readonly #context: BlocksContext;
  /**
   * Failures because of wrong responses, by variant and scenario. The scenario is not tried again.
   */
  readonly #wrong: Map<string, VariantFailure> = new Map();
  /** Failures of servers at their first start, by variant. The servers are not tried again. */
  readonly #unstartable: Map<string, VariantFailure> = new Map();
  readonly #started: Set<string> = new Set();

  constructor(context: BlocksContext) {
    this.#context = context;
  }

  /**
   * Measures the blocks of one round. Every server is started once.
   *
   * @param kept servers that already run, by variant; they are not stopped
   * @throws {Failure} if nothing more can be measured.
   * @throws the reason of the context's `abort` if that signal is aborted.
   */
  async run(
    blocks: readonly Block[],
    kept: ReadonlyMap<string, RunningServer> = new Map(),
  ): Promise<void> {
    const { onEvent, assertSound, abort } = this.#context;
    const measurable = blocks.filter((block) => this.#variantsOf(block).length > 1);
    await using roundServers = await this.#startServers(measurable, kept);
    for (const block of blocks) {
      abort.throwIfAborted();
      await onEvent({ kind: "block", block });
      const startedAt = new Date().toISOString();
      const { slices, failures } = await this.#measure(block, roundServers);
      await onEvent({ kind: "sliced", blockResult: { block, startedAt, slices, failures } });
      await assertSound();
      abort.throwIfAborted();
    }
  }

  /** Returns the variants of a block that have not failed for good. */
  #variantsOf({ variants, scenario }: Block): string[] {
    return variants.filter((variant) =>
      !this.#unstartable.has(variant) && !this.#wrong.has(`${variant} ${scenario}`)
    );
  }

  /** Starts every server that the blocks need, all at the same time. */
  async #startServers(
    blocks: readonly Block[],
    kept: ReadonlyMap<string, RunningServer>,
  ): Promise<RoundServers> {
    const { variants, launch, onEvent, abort } = this.#context;
    for (const variant of kept.keys()) this.#started.add(variant);
    const ids = new Set(blocks.flatMap((block) => this.#variantsOf(block)));
    const started = new Map<string, RunningServer>();
    const failures: VariantFailure[] = [];
    const stop = async (): Promise<void> => {
      await Promise.all([...started.values()].map((server) => server[Symbol.asyncDispose]()));
    };
    await Promise.all(
      [...ids].filter((id) => !kept.has(id)).map(async (id) => {
        try {
          started.set(id, await launch(variants.get(id) as Variant));
          this.#started.add(id);
        } catch (error) {
          const message = hideUrls(messageOf(error));
          const failure: VariantFailure = { variant: id, kind: "start", message };
          if (this.#started.has(id)) failures.push(failure);
          else this.#unstartable.set(id, failure);
        }
      }),
    );
    try {
      abort.throwIfAborted();
      for (const [variant, { startUpS, idleRssBytes }] of started) {
        const round = blocks[0]?.round ?? 1;
        // Servers that start at the same time slow each other down, so their start-up time is not recorded.
        const launched = {
          variant,
          round,
          startUpS: started.size > 1 ? null : startUpS,
          idleRssBytes,
          handshakes: null,
        };
        await onEvent({ kind: "launch", launch: launched });
      }
    } catch (error) {
      await stop();
      throw error;
    }
    const running = new Map([...kept, ...started]);
    return { running, failures, [Symbol.asyncDispose]: stop };
  }

  async #measure(
    block: Block,
    { running, failures: startFailures }: RoundServers,
  ): Promise<Pick<BlockResult, "slices" | "failures">> {
    const { design, seed, slices, abort } = this.#context;
    const knownFailures = block.variants.flatMap((variant) =>
      this.#unstartable.get(variant) ?? this.#wrong.get(`${variant} ${block.scenario}`) ?? []
    );
    const failures = [
      ...knownFailures,
      ...startFailures.filter(({ variant }) => block.variants.includes(variant)),
    ];
    const servers: { readonly server: RunningServer; readonly target: SliceTarget }[] = [];
    for (const id of this.#variantsOf(block)) {
      const server = running.get(id);
      if (server === undefined) continue;
      try {
        servers.push({ server, target: await targetOf(id, server, block, this.#context) });
      } catch (error) {
        abort.throwIfAborted();
        const failure = await failureOf(id, server, error);
        if (failure.kind === "verification") this.#wrong.set(`${id} ${block.scenario}`, failure);
        failures.push(failure);
      }
    }
    if (servers.length < 2) return { slices: null, failures };
    const { connections, timeoutS, warmupS, mostWarmupS, durationS, round } = block;
    const ended = new AbortController();
    for (const { server: { process } } of servers) {
      process?.ended.then(() => ended.abort(new Failure("A server ended")));
    }
    const job: SlicesJob = {
      targets: servers.map(({ target }) => target),
      connections,
      timeoutS,
      warmupS,
      mostWarmupS,
      durationS,
      sliceMs: design.sliceMs,
      sliceResponses: design.responses,
      seed: seed + round,
    };
    try {
      return { slices: await slices(job, AbortSignal.any([abort, ended.signal])), failures };
    } catch (error) {
      abort.throwIfAborted();
      const gone = servers.filter(({ server }) => server.process?.hasEnded);
      const reasons = await Promise.all(
        (gone.length > 0 ? gone : servers).map(({ target: { variant }, server }) =>
          failureOf(variant, server, error)
        ),
      );
      return { slices: null, failures: [...failures, ...reasons] };
    }
  }
}

/**
 * Verifies a variant and returns its target for slices.
 *
 * @throws {WrongResponse} if a response is wrong.
 * @throws {Failure} if the variant cannot be loaded.
 */
async function targetOf(
  variant: string,
  { origin, pid }: RunningServer,
  { scenario: id, connections }: Block,
  { variants, scenarios, reference, facts, abort }: BlocksContext,
): Promise<SliceTarget> {
  const scenario = variant === reference?.id ? reference.scenario : scenarios.get(id) as Scenario;
  assertRoom((variants.get(variant) as Variant).server, connections);
  const { body: expected } = await verified(origin, scenario, facts, abort);
  const { request, protocol, pipelined } = scenario;
  const mix = await verifiedMix(origin, scenario, facts, abort);
  return { variant, origin, pid, request, protocol, pipelined, mix, expected };
}

/** Explains why a variant has no slices. If its server has ended, that is the cause. */
async function failureOf(
  variant: string,
  { process }: RunningServer,
  error: unknown,
): Promise<VariantFailure> {
  if (process?.hasEnded) {
    await process.ended;
    const message = `the server ${process.howItEnded}${process.lastWords}`;
    return { variant, kind: "slices", message };
  }
  const kind = error instanceof WrongResponse ? "verification" : "slices";
  return { variant, kind, message: hideUrls(messageOf(error)) };
}
