import { Failure, messageOf } from "../model/errors.ts";
import { hideUrls } from "../model/secrets.ts";
import type { Trial, Variant } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { LaunchRecord, TrialFailure, TrialResult } from "../model/raw.ts";
import type { RunningServer } from "../target/launch.ts";
import { resultKeyOf } from "../analysis/result_key.ts";
import { measureHandshakes } from "./measure_handshakes.ts";
import { WrongResponse } from "./verified.ts";
import { measureWindow, type WindowTools } from "./measure_window.ts";

/** Time to wait for the end of a server after its last response, in milliseconds. */
const END_NOTICE_MS = 200;

/** An event while trials run. */
export type ServerRoundsEvent =
  | { readonly kind: "launch"; readonly launch: LaunchRecord }
  | { readonly kind: "start"; readonly trial: Trial }
  | { readonly kind: "result"; readonly trialResult: TrialResult };

/** Inputs for running trials. */
export interface ServerRoundsContext {
  /** Variants that can be measured, by id. */
  readonly variants: ReadonlyMap<string, Variant>;
  readonly scenarios: ReadonlyMap<string, Scenario>;
  readonly tools: WindowTools;
  /** Starts a server and waits until it answers. */
  launch(variant: Variant): Promise<RunningServer>;
  /** Throws if something that every trial needs has ended, such as the database. */
  assertSound(): Promise<void>;
  readonly onEvent: (event: ServerRoundsEvent) => void | Promise<void>;
  /**
   * Servers that keep running for the next round, by variant; null if every round starts fresh
   * servers.
   */
  readonly kept: Map<string, RunningServer> | null;
  readonly abort: AbortSignal;
}

/**
 * Runs trials. In each round every server has a fresh process, unless the context keeps it running (`kept`).
 * Each scenario is verified before its load.
 */
export class ServerRounds {
  readonly #context: ServerRoundsContext;
  /**
   * Failures because of wrong responses, by variant and scenario. The scenario is not tried again
   * at any number of connections.
   */
  readonly #wrong: Map<string, TrialFailure> = new Map();
  /** Failures of servers at their first start, by variant. The servers are not tried again. */
  readonly #unstartable: Map<string, TrialFailure> = new Map();
  /**
   * Results (variant and workload) for which a failure in `#wrong` or `#unstartable` was already reported.
   * Their later trials are left out without another report.
   */
  readonly #reported: Set<string> = new Set();
  readonly #started: Set<string> = new Set();

  constructor(context: ServerRoundsContext) {
    this.#context = context;
  }

  /**
   * Runs trials in order. A failed trial yields a result.
   *
   * @throws {Failure} if nothing more can be measured.
   * @throws the reason of the context's `abort` if that signal is aborted.
   */
  async run(trials: readonly Trial[]): Promise<void> {
    const { onEvent, assertSound, abort } = this.#context;
    for (let at = 0; at < trials.length;) {
      const round = trials.slice(at, at + roundLength(trials, at));
      at += round.length;
      for await (const trialResult of this.#runRound(round)) {
        this.#remember(trialResult);
        await onEvent({ kind: "result", trialResult });
        await assertSound();
        abort.throwIfAborted();
      }
    }
  }

  /** Runs the trials of one server's round. If the server ends, it is started again for the next trial. */
  async *#runRound(trials: readonly Trial[]): AsyncGenerator<TrialResult> {
    const { variants, scenarios, tools, onEvent, kept, abort } = this.#context;
    const own = trials[0]?.variant ?? "";
    let server = kept?.get(own) ?? null;
    kept?.delete(own);
    try {
      for (const [i, trial] of trials.entries()) {
        const known = this.#knownFailure(trial);
        if (known !== null) {
          if (!this.#reported.has(resultOf(trial))) yield failed(trial, known);
          continue;
        }
        abort.throwIfAborted();
        await onEvent({ kind: "start", trial });
        const startedAt = new Date().toISOString();
        const variant = variants.get(trial.variant) as Variant;
        const scenario = scenarios.get(trial.scenario) as Scenario;
        try {
          server ??= await this.#start(variant, trial);
        } catch (error) {
          abort.throwIfAborted();
          const message = hideUrls(messageOf(error));
          const failure = { kind: "start", message, output: null } as const;
          const rest = trials.slice(i).filter((trial) => this.#knownFailure(trial) === null);
          if (!this.#started.has(variant.id)) this.#unstartable.set(variant.id, failure);
          for (const trial of rest) yield failed(trial, failure);
          return;
        }
        try {
          const order = { trial, variant, scenario, server, tools, abort };
          yield { trial, startedAt, window: await measureWindow(order), failure: null };
        } catch (error) {
          abort.throwIfAborted();
          yield { trial, startedAt, window: null, failure: await explain(error, variant, server) };
        }
        if (server.process?.hasEnded) {
          await server[Symbol.asyncDispose]();
          server = null;
        }
      }
      if (kept !== null && server !== null) {
        kept.set(own, server);
        server = null;
      }
    } finally {
      await server?.[Symbol.asyncDispose]();
    }
  }

  async #start(variant: Variant, { purpose, round }: Trial): Promise<RunningServer> {
    const { launch, onEvent } = this.#context;
    const server = await launch(variant);
    this.#started.add(variant.id);
    const { startUpS, idleRssBytes } = server;
    // A pilot window belongs to no round.
    if (purpose !== "pilot") {
      const handshakes = await measureHandshakes(server);
      const launch = { variant: variant.id, round, startUpS, idleRssBytes, handshakes };
      await onEvent({ kind: "launch", launch });
    }
    return server;
  }

  #remember({ trial, failure }: TrialResult): void {
    if (failure?.kind === "verification") this.#wrong.set(nameOf(trial), failure);
    if (this.#knownFailure(trial) !== null) this.#reported.add(resultOf(trial));
  }

  /** Returns the failure that makes a trial pointless, or null. */
  #knownFailure(trial: Trial): TrialFailure | null {
    return this.#wrong.get(nameOf(trial)) ?? this.#unstartable.get(trial.variant) ?? null;
  }
}

function nameOf({ variant, scenario }: Trial): string {
  return `${variant} ${scenario}`; // for any number of connections
}

function resultOf(trial: Trial): string {
  return JSON.stringify(resultKeyOf(trial));
}

/** Returns the result of a trial that was not run. */
function failed(trial: Trial, failure: TrialFailure): TrialResult {
  return { trial, startedAt: new Date().toISOString(), window: null, failure };
}

function roundLength(trials: readonly Trial[], from: number): number {
  const first = trials[from] as Trial;
  const length = trials.slice(from).findIndex(({ round, variant }) =>
    round !== first.round || variant !== first.variant
  );
  return length < 0 ? trials.length - from : length;
}

/** Explains a failed trial. If the server has ended, that is the cause. */
async function explain(
  error: unknown,
  { server: { name } }: Variant,
  { process }: RunningServer,
): Promise<TrialFailure> {
  const hasEnded = process && await endWithin(process.ended, END_NOTICE_MS) !== null;
  if (process && hasEnded) {
    const message = `the server ${name} ${process.howItEnded}${process.lastWords}`;
    return { kind: "window", message, output: null };
  }
  const kind = error instanceof WrongResponse ? "verification" : "window";
  return {
    kind,
    message: hideUrls(messageOf(error)),
    output: error instanceof Failure && error.output !== null ? hideUrls(error.output) : null,
  };
}

async function endWithin<T>(end: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => timer = setTimeout(() => resolve(null), ms));
  try {
    return await Promise.race([end, late]);
  } finally {
    clearTimeout(timer);
  }
}
