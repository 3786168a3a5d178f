import { Failure, messageOf } from "../errors.ts";
import type { LoadJob, WindowListener } from "../load/generator.ts";
import type {
  Facts,
  Load,
  Measurement,
  Scenario,
  Target,
  Trial,
  TrialResult,
  Usage,
} from "../model.ts";
import { describeEnd } from "../process/child.ts";
import type { RunningServer } from "../target/launch.ts";
import { UsageMeter } from "../target/usage.ts";
import { verify } from "../target/verify.ts";

/** How long after its last answer a server's end may still be noticed. */
const END_NOTICE_MS = 200;

/** What a session tells while it works. */
export type SessionEvent =
  | { readonly kind: "start"; readonly trial: Trial }
  | { readonly kind: "result"; readonly result: TrialResult };

/** What a session works with: the edges that tests replace. */
export interface SessionContext {
  readonly targets: ReadonlyMap<string, Target>;
  readonly scenarios: ReadonlyMap<string, Scenario>;
  readonly facts: Facts;
  /** Starts a server and waits until it answers. */
  launch(target: Target): Promise<RunningServer>;
  /** Drives one window. */
  measure(job: LoadJob, abort: AbortSignal, listener: WindowListener): Promise<Measurement>;
  /** The embedded database's process; null if there is none. */
  readonly databasePid: number | null;
  /** Throws if something that every trial needs has ended, such as the database. */
  assertSound(): Promise<void>;
  readonly onEvent: (event: SessionEvent) => void | Promise<void>;
  readonly abort: AbortSignal;
}

/**
 * Runs the trials in their order: one fresh server for each round, each scenario verified before it
 * is loaded. A failed trial is a result; a scenario that answers wrongly is not measured again.
 *
 * @throws {Failure} if nothing more can be measured.
 * @throws the reason of `abort`.
 */
export async function runTrials(trials: readonly Trial[], context: SessionContext): Promise<void> {
  const wrong = new Set<string>();
  const isWanted = (trial: Trial): boolean => !wrong.has(cellKey(trial));
  let at = 0;
  while (at < trials.length) {
    const round = trials.slice(at, at + roundLength(trials, at));
    at += round.length;
    for await (const result of runRound(round.filter(isWanted), context)) {
      if (result.failure?.kind === "verification") wrong.add(cellKey(result.trial));
      await context.onEvent({ kind: "result", result });
      await context.assertSound();
      context.abort.throwIfAborted();
    }
  }
}

function cellKey({ target, scenario }: Trial): string {
  return `${target} ${scenario}`;
}

function roundLength(trials: readonly Trial[], from: number): number {
  const first = trials[from] as Trial;
  const length = trials.slice(from).findIndex(({ round, target }) =>
    round !== first.round || target !== first.target
  );
  return length < 0 ? trials.length - from : length;
}

/** The trials of one server's round; a server that has ended is started again for the next trial. */
async function* runRound(
  trials: readonly Trial[],
  context: SessionContext,
): AsyncGenerator<TrialResult> {
  let server: RunningServer | null = null;
  try {
    for (const trial of trials) {
      context.abort.throwIfAborted();
      await context.onEvent({ kind: "start", trial });
      const startedAt = new Date().toISOString();
      const target = context.targets.get(trial.target) as Target;
      try {
        server ??= await context.launch(target);
        yield { trial, startedAt, ...await runTrial(trial, server, context), failure: null };
      } catch (error) {
        context.abort.throwIfAborted();
        const failure = await explain(error, target, server);
        yield { trial, startedAt, measurement: null, usage: null, failure };
      }
      if (server?.process.hasEnded) {
        await server[Symbol.asyncDispose]();
        server = null;
      }
    }
  } finally {
    await server?.[Symbol.asyncDispose]();
  }
}

class WrongAnswer extends Error {}

async function runTrial(
  trial: Trial,
  server: RunningServer,
  { scenarios, facts, measure, databasePid, abort }: SessionContext,
): Promise<{ measurement: Measurement; usage: Usage }> {
  const scenario = scenarios.get(trial.scenario) as Scenario;
  const { results, loadedBody } = await verify(server.origin, scenario, facts);
  const failed = results.find(({ problem }) => problem !== null);
  if (failed) throw new WrongAnswer(`wrong answer to "${failed.name}": ${failed.problem}`);

  const body = scenario.underLoad === "same"
    ? { same: loadedBody }
    : { matches: scenario.underLoad.source };
  const { request } = scenario;
  const load: Load = trial.load;
  const serverEnded = new AbortController();
  server.process.ended.then(() => serverEnded.abort(new Failure("The server ended")));
  const meter = new UsageMeter();
  const measurement = await measure(
    { origin: server.origin, request, load, body },
    AbortSignal.any([abort, serverEnded.signal]),
    {
      opened: (generator) =>
        meter.open({ server: server.process.pid, database: databasePid, generator }),
      closed: () => meter.close(),
    },
  );
  return { measurement, usage: meter.usage };
}

/** What went wrong; if the server has ended, that is the cause, whatever was seen of it. */
async function explain(
  error: unknown,
  target: Target,
  server: RunningServer | null,
): Promise<NonNullable<TrialResult["failure"]>> {
  const status = server === null ? null : await endWithin(server.process.ended, END_NOTICE_MS);
  if (server !== null && status !== null) {
    const end = describeEnd(status) + server.process.lastWords;
    const message = `the server ${target.name} ${end}`;
    return { kind: "window", message };
  }
  const kind = error instanceof WrongAnswer ? "verification" : "window";
  return { kind, message: messageOf(error) };
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
