import { Failure, messageOf, UsageError } from "../model/errors.ts";
import { findGenerator, type FoundGenerator, type MissingGenerator } from "../load/find.ts";
import type { Pinning } from "../model/report.ts";
import type { LoadGenerator, WindowJob, WindowListener } from "../load/generator.ts";
import { GENERATORS } from "../load/mod.ts";
import { RunningGenerator } from "../load/running.ts";
import type { Load } from "../model/experiment.ts";
import type { HttpAnswer, Scenario } from "../model/scenario.ts";
import type { Ceiling, Measurement } from "../model/raw.ts";
import type { ProcessScope } from "../process/scope.ts";
import { Ceilings } from "./ceiling.ts";

/** A load generator, and whether it is on this machine. */
export interface Candidate {
  readonly generator: LoadGenerator;
  readonly found: FoundGenerator | MissingGenerator;
}

/** A load generator that is on this machine. */
export interface Present extends Candidate {
  readonly found: FoundGenerator;
}

/** What `--generator` is for the one with the highest ceiling. */
export const FASTEST = "auto";
/** Drives scenarios that answer in waves: it alone opens and closes its window within them. */
const FOR_WAVES = "autocannon";

/** What a ceiling is measured with: the answer of `text`, and the usual number of connections. */
const ANSWER: HttpAnswer = {
  status: 200,
  headers: new Headers({ "content-type": "text/plain;charset=UTF-8", connection: "keep-alive" }),
  text: "Hello world",
};
const REQUEST = { method: "GET", path: "/", headers: {}, body: null } as const;

/** Every load generator, the default first. */
export async function findGenerators(): Promise<Candidate[]> {
  return await Promise.all(
    GENERATORS.map(async (generator) => ({ generator, found: await findGenerator(generator.id) })),
  );
}

/** Whether a load generator is there. */
export function isPresent(candidate: Candidate): candidate is Present {
  return "version" in candidate.found;
}

/**
 * One load generator by its id.
 *
 * @throws {UsageError} with how to get it, if it is not there.
 */
export async function presentGenerator(id: string): Promise<Present> {
  const candidate = (await findGenerators()).find(({ generator }) => generator.id === id);
  if (candidate === undefined) throw new UsageError(`There is no load generator "${id}"`);
  if (isPresent(candidate)) return candidate;
  const { install } = candidate.found as MissingGenerator;
  throw new UsageError(`The load generator ${id} is not here: ${install}`);
}

/** What a load generator reaches against canned bytes, as small as the answer of `text`. */
export async function ceilingOf(
  scope: ProcessScope,
  { generator }: Present,
  load: Pick<Load, "connections" | "shards">,
  abort: AbortSignal,
): Promise<Ceiling> {
  await using running = new RunningGenerator(scope, generator);
  const ceilings = new Ceilings({ scope, generator: running, cpus: null });
  const rest = { warmupS: 0, durationS: 1, answers: null, timeoutS: 10 };
  const job = { origin: "", request: REQUEST, load: { ...load, ...rest }, body: null };
  return await ceilings.of(job, ANSWER, abort) as Ceiling;
}

/**
 * The load generator with the highest ceiling on this machine, of those that speak HTTP/1.1: under 1.0
 * some servers do other work, such as a connection for each request.
 *
 * @param onCeiling hears each of them.
 * @throws {Failure} if none of them works.
 */
export async function fastestGenerator(
  scope: ProcessScope,
  load: Pick<Load, "connections" | "shards">,
  abort: AbortSignal,
  onCeiling: (id: string, answersPerS: number | null, problem: string | null) => void,
): Promise<Present> {
  let best: { present: Present; answersPerS: number } | null = null;
  const candidates = (await findGenerators()).filter(({ generator }) => generator.http === "1.1");
  for (const present of candidates.filter(isPresent)) {
    try {
      const { answersPerS } = await ceilingOf(scope, present, load, abort);
      onCeiling(present.generator.id, answersPerS, null);
      if (best === null || answersPerS > best.answersPerS) best = { present, answersPerS };
    } catch (error) {
      abort.throwIfAborted();
      onCeiling(present.generator.id, null, messageOf(error));
    }
  }
  if (best === null) throw new Failure("No load generator works on this machine");
  return best.present;
}

/** The load generator for scenarios that answer in waves, where the fastest one is wanted. */
export function generatorForWaves(): Promise<Present> {
  return presentGenerator(FOR_WAVES);
}

/**
 * What to know where a load generator that was named drives scenarios that answer in waves; null if
 * there is nothing.
 */
export function wavesNote(
  generators: readonly Present[],
  scenarios: readonly Scenario[],
): string | null {
  const waves = scenarios.filter(({ cycle }) => cycle !== null).map(({ id }) => id);
  const blind = generators.map(({ generator }) => generator.id).filter((id) => id !== FOR_WAVES);
  if (waves.length === 0 || blind.length === 0) return null;
  return `${waves.join(", ")}: ${
    blind.join(", ")
  } cannot tell where a wave of answers begins, and counts the last wait as a whole or not at all; ${FOR_WAVES} can`;
}

/** The load generators of a run at work, each with its ceilings. */
export class Rack implements AsyncDisposable {
  readonly #all: ReadonlyMap<string, { running: RunningGenerator; ceilings: Ceilings }>;

  constructor(scope: ProcessScope, generators: readonly Present[], pinning: Pinning | null) {
    this.#all = new Map(generators.map(({ generator }) => {
      const running = new RunningGenerator(scope, generator, pinning?.generator ?? null);
      const context = { scope, generator: running, cpus: pinning?.server ?? null };
      return [generator.id, { running, ceilings: new Ceilings(context) }];
    }));
  }

  /** Drives one window, as {@linkcode RunningGenerator} does. */
  measure(
    id: string,
    job: WindowJob,
    abort: AbortSignal,
    listener: WindowListener,
  ): Promise<Measurement> {
    return this.#of(id).running.measure(job, abort, listener);
  }

  /** The ceiling of one of them, as {@linkcode Ceilings} tells. */
  ceiling(
    id: string,
    job: WindowJob,
    answer: HttpAnswer,
    abort: AbortSignal,
  ): Promise<Ceiling | null> {
    return this.#of(id).ceilings.of(job, answer, abort);
  }

  #of(id: string): { running: RunningGenerator; ceilings: Ceilings } {
    const one = this.#all.get(id);
    if (one === undefined) throw new RangeError(`There is no load generator "${id}" in this run`);
    return one;
  }

  /** Ends all of them. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { running } of this.#all.values()) await running[Symbol.asyncDispose]();
  }
}
