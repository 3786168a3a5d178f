import { FASTEST } from "../experiment/options.ts";
import { type GeneratorOf, hasWindows } from "../experiment/planner.ts";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { Note } from "../model/events.ts";
import type { LoadGenerator } from "../load/generator.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Alpn } from "../model/tls.ts";
import type { Scenario } from "../model/scenario.ts";
import {
  type GeneratorStatus,
  isPresent,
  type PresentGenerator,
  presentGenerator,
} from "./generator_pool.ts";
import type { OpenTestbed, ProgressListener } from "./testbed.ts";

/** Drives what others cannot: responses that come in waves, requests that are sent at once, messages. */
const ABLE = "stampede";

/** The load generators of a run, and which of them drives what. */
export interface ChosenGenerators {
  /** The one that drives most first. */
  readonly generators: readonly PresentGenerator[];
  readonly generatorOf: GeneratorOf;
}

/**
 * The load generators that the variants name.
 *
 * @throws {UsageError} with how to get one that is not here, or what one cannot do.
 */
export function namedGenerators(
  experiment: Experiment,
  all: readonly GeneratorStatus[],
): PresentGenerator[] {
  const ids = experiment.variants.map(({ generator }) => generator).filter((id) => id !== FASTEST);
  const named = [...new Set(ids)].map((id) => presentGenerator(all, id));
  assertAbilities(experiment, named);
  return named;
}

/**
 * Finds the fastest load generator if a variant asks for it, and there are windows to drive.
 *
 * @throws {UsageError} for what a load generator cannot do.
 * @throws {Failure} if none works.
 */
export async function chooseGenerators(
  experiment: Experiment,
  all: readonly GeneratorStatus[],
  named: readonly PresentGenerator[],
  { testbed, onProgress, signal }: {
    testbed: OpenTestbed;
    onProgress: ProgressListener;
    signal: AbortSignal;
  },
): Promise<ChosenGenerators> {
  const { variants, scenarios, load } = experiment;
  const waves = scenarios.filter(({ cycle }) => cycle !== null).map(({ id }) => id);
  let fastest: PresentGenerator | null = null;
  let forWaves: PresentGenerator | null = null;
  if (hasWindows(experiment) && variants.some(({ generator }) => generator === FASTEST)) {
    fastest = await fastestGenerator(experiment, all, { testbed, onProgress, signal });
    reportNote(onProgress, { kind: "loading", generator: fastest.generator.id, scenarios: null });
    const isEnough = waves.length === 0 || fastest.generator.knowsWaves;
    forWaves = isEnough ? fastest : presentGenerator(all, ABLE);
    if (forWaves.generator.id !== fastest.generator.id) {
      reportNote(onProgress, { kind: "loading", generator: ABLE, scenarios: waves });
    }
  }
  const special = scenarios.filter(isSpecial).map(({ id }) => id);
  const areAble = [fastest, ...named].every((one) => one?.generator.canTalk ?? true);
  const forSpecial = special.length === 0 || areAble ? null : presentGenerator(all, ABLE);
  if (forSpecial !== null) {
    reportNote(onProgress, { kind: "loading", generator: ABLE, scenarios: special });
  }
  const present = [fastest, ...named, forWaves, forSpecial].filter((one) => one !== null);
  const generators = [...new Map(present.map((one) => [one.generator.id, one])).values()];
  if (fastest !== null) assertAbilities(experiment, [fastest]);
  for (const { generator } of generators) {
    const parts = exposedParts(experiment, generator);
    if (parts.length > 0) {
      reportNote(onProgress, { kind: "exposed", generator: generator.id, parts });
    }
  }
  // A number of requests is as many whole waves as the person wants
  const blind = named.filter(({ generator }) => !generator.knowsWaves)
    .map(({ generator }) => generator.id);
  if (waves.length > 0 && blind.length > 0 && load.requests === null) {
    reportNote(onProgress, { kind: "waves", scenarios: waves, generators: blind, knows: ABLE });
  }
  return {
    generators,
    generatorOf: (variant, scenario) => {
      if (forSpecial !== null && isSpecial(scenario)) return ABLE;
      if (variant.generator !== FASTEST) return variant.generator;
      return (scenario.cycle === null ? fastest : forWaves)?.generator.id ?? variant.generator;
    },
  };
}

function speaks({ tls }: LoadGenerator, alpn: Alpn | null): boolean {
  return alpn === null || tls.includes(alpn);
}

/** Whether it takes more than sending one request and waiting for its response. */
function isSpecial({ protocol, pipelined, mix }: Scenario): boolean {
  return protocol !== "http" || pipelined > 1 || mix !== undefined;
}

/**
 * The load generator with the highest ceiling on this machine, of those that speak HTTP/1.1: under 1.0
 * some servers do other work, such as a connection for each request.
 */
async function fastestGenerator(
  { load }: Experiment,
  all: readonly GeneratorStatus[],
  { testbed, onProgress, signal }: {
    testbed: OpenTestbed;
    onProgress: ProgressListener;
    signal: AbortSignal;
  },
): Promise<PresentGenerator> {
  const [connections = load.defaultConnections] = load.connections ?? [];
  onProgress({ kind: "phase", phase: { kind: "fastest" } });
  let best: { present: PresentGenerator; responsesPerS: number } | null = null;
  for (
    const present of all.filter(isPresent).filter(({ generator }) =>
      generator.http === "1.1" && speaks(generator, load.tls)
    )
  ) {
    const { id: generator } = present.generator;
    try {
      const shape = { connections, shards: load.shards };
      const { responsesPerS } = await testbed.ceilingOf(present, shape, signal);
      reportNote(onProgress, { kind: "ceiling", generator, responsesPerS, problem: null });
      if (best === null || responsesPerS > best.responsesPerS) best = { present, responsesPerS };
    } catch (error) {
      signal.throwIfAborted();
      reportNote(onProgress, {
        kind: "ceiling",
        generator,
        responsesPerS: null,
        problem: messageOf(error),
      });
    }
  }
  if (best === null) throw new Failure("No load generator works on this machine");
  return best.present;
}

/** What of a person's own requests a load generator shows in its command line. */
function exposedParts(
  { variants, scenarios }: Experiment,
  { exposes }: LoadGenerator,
): ("query" | "headers")[] {
  if (variants.every(({ server }) => server.attached === null)) return [];
  const requests = scenarios.map(({ request }) => request);
  const has = {
    query: requests.some(({ path }) => path.includes("?")),
    headers: requests.some(({ headers }) =>
      Object.keys(headers).some((name) => name !== "content-type")
    ),
  };
  return exposes.filter((part) => has[part]);
}

function reportNote(onProgress: ProgressListener, note: Note): void {
  onProgress({ kind: "note", note });
}

/** @throws {UsageError} for what a load generator cannot do. */
function assertAbilities(
  { scenarios, load }: Experiment,
  generators: readonly PresentGenerator[],
): void {
  for (const { generator } of generators) {
    const { id, sendsHead, threads } = generator;
    if (!speaks(generator, load.tls)) {
      const what = load.tls === "h2" ? "HTTP/2" : "TLS with HTTP/1.1 alone";
      throw new UsageError(`${id} does not speak ${what}: choose another --generator`);
    }
    if (!sendsHead && scenarios.some(({ request }) => request.method === "HEAD")) {
      throw new UsageError(`${id} cannot send HEAD: choose another --generator`);
    }
    if (load.shards > 1 && !["process", "configured"].includes(threads)) {
      throw new UsageError(
        `${id} cannot be told how many --shards to use: choose another --generator`,
      );
    }
  }
}
