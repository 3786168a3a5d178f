import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { FASTEST } from "../experiment/options.ts";
import { type GeneratorOf, hasWindows } from "../experiment/planner.ts";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { LoadGenerator } from "../load/generator.ts";
import type { Experiment, Trial, Variant } from "../model/experiment.ts";
import type { Host } from "../model/report.ts";
import type { Alpn } from "../model/server.ts";
import type { Scenario } from "../model/scenario.ts";
import {
  type GeneratorChoices,
  type GeneratorStatus,
  isPresent,
  type PresentGenerator,
  presentGenerator,
} from "./generator_pool.ts";
import type { RunStart } from "./run_context.ts";

/**
 * Id of the generator for loads that not every generator can drive: waves of responses, pipelining,
 * mixes and WebSocket messages.
 */
const ABLE = "stampede";

/** Maximum number of stored choices. It limits the size of the file; the oldest choices are dropped. */
const MOST_KEPT = 1000;

/** The load generators of a run and the assignment of workloads to them. */
interface ChosenGenerators {
  /** The generator that drives most workloads comes first. */
  readonly generators: readonly PresentGenerator[];
  readonly generatorOf: GeneratorOf;
}

/**
 * Returns the load generators that the variants name.
 *
 * @throws {UsageError} if one is not installed (with how to install it) or lacks a needed feature.
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
 * Chooses the load generators of a run. If a variant asks for the fastest one and the run has
 * windows, it measures which one is the fastest.
 *
 * @throws {UsageError} if a load generator lacks a needed feature.
 * @throws {Failure} if no load generator works.
 */
export async function chooseGenerators(
  run: RunStart,
  all: readonly GeneratorStatus[],
  named: readonly PresentGenerator[],
): Promise<ChosenGenerators> {
  const { experiment, emit } = run;
  const { variants, scenarios, load } = experiment;
  const waves = scenarios.filter(({ cycle }) => cycle !== null).map(({ id }) => id);
  let fastest: PresentGenerator | null = null;
  let forWaves: PresentGenerator | null = null;
  if (hasWindows(experiment) && variants.some(({ generator }) => generator === FASTEST)) {
    fastest = await fastestGenerator(run, all);
    const { id: generator } = fastest.generator;
    await emit({ kind: "note", note: { kind: "loading", generator, scenarios: null } });
    const isEnough = waves.length === 0 || fastest.generator.knowsWaves;
    forWaves = isEnough ? fastest : presentGenerator(all, ABLE);
    if (forWaves.generator.id !== fastest.generator.id) {
      await emit({ kind: "note", note: { kind: "loading", generator: ABLE, scenarios: waves } });
    }
  }
  const special = scenarios.filter(isSpecial).map(({ id }) => id);
  const areAble = [fastest, ...named].every((one) => one?.generator.canTalk ?? true);
  const forSpecial = special.length === 0 || areAble ? null : presentGenerator(all, ABLE);
  if (forSpecial !== null) {
    await emit({ kind: "note", note: { kind: "loading", generator: ABLE, scenarios: special } });
  }
  const present = [fastest, ...named, forWaves, forSpecial].filter((one) => one !== null);
  const generators = [...new Map(present.map((one) => [one.generator.id, one])).values()];
  if (fastest !== null) assertAbilities(experiment, [fastest]);
  for (const { generator } of generators) {
    const parts = exposedParts(experiment, generator);
    if (parts.length > 0) {
      await emit({ kind: "note", note: { kind: "exposed", generator: generator.id, parts } });
    }
  }
  // With a fixed number of requests, the user chooses how many whole waves are sent.
  const blind = named.filter(({ generator }) => !generator.knowsWaves)
    .map(({ generator }) => generator.id);
  if (waves.length > 0 && blind.length > 0 && load.requests === null) {
    const note = { kind: "waves", scenarios: waves, generators: blind, knows: ABLE } as const;
    await emit({ kind: "note", note });
  }
  const { fallback } = experiment.design;
  if (fallback !== null && !generators.some(({ generator: { id } }) => id === fallback)) {
    generators.push(presentGenerator(all, fallback));
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

/**
 * Returns whether a scenario is more than plain request and response: it pipelines, mixes requests,
 * or sends WebSocket messages.
 */
function isSpecial({ protocol, pipelined, mix }: Scenario): boolean {
  return protocol !== "http" || pipelined > 1 || mix !== undefined;
}

/**
 * Measures the ceilings of all installed generators that speak HTTP/1.1 and returns the fastest. HTTP/1.0 is
 * excluded because it makes some servers do other work, such as one connection for each request.
 */
async function fastestGenerator(
  { experiment: { load }, testbed, emit, signal }: RunStart,
  all: readonly GeneratorStatus[],
): Promise<PresentGenerator> {
  const [connections = load.defaultConnections] = load.connections ?? [];
  await emit({ kind: "phase", phase: { kind: "fastest" } });
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
      await emit({
        kind: "note",
        note: { kind: "ceiling", generator, responsesPerS, problem: null },
      });
      if (best === null || responsesPerS > best.responsesPerS) best = { present, responsesPerS };
    } catch (error) {
      signal.throwIfAborted();
      const note = { kind: "ceiling", generator, responsesPerS: null } as const;
      await emit({ kind: "note", note: { ...note, problem: messageOf(error) } });
    }
  }
  if (best === null) throw new Failure("No load generator works on this machine");
  return best.present;
}

/** Returns the parts of a user's own requests that a load generator shows in its command line. */
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

/**
 * Checks that each load generator can drive the experiment.
 *
 * @throws {UsageError} if one cannot.
 */
function assertAbilities(
  { scenarios, load }: Experiment,
  generators: readonly PresentGenerator[],
): void {
  for (const { generator } of generators) {
    const { id, sendsHead, threads } = generator;
    if (!speaks(generator, load.tls)) {
      const what = load.tls === "h2" ? "HTTP/2" : "HTTP/1.1 over TLS";
      throw new UsageError(`${id} does not speak ${what}: choose another --generator`);
    }
    if (!sendsHead && scenarios.some(({ request }) => request.method === "HEAD")) {
      throw new UsageError(`${id} cannot send HEAD: choose another --generator`);
    }
    if (load.shards > 1 && !["process", "configured"].includes(threads)) {
      throw new UsageError(
        `${id} has no setting for --shards: leave it out, or choose another --generator`,
      );
    }
  }
}

/**
 * Returns the key under which a choice is stored. It depends on machine, program versions, server,
 * request and load. The key is a hash, because a request may contain secrets.
 */
export function choiceKey(
  { host, versions }: { readonly host: Host; readonly versions: Readonly<Record<string, string>> },
  { server, env }: Variant,
  scenario: Scenario,
  { load, generator }: Trial,
): string {
  const { os, arch, cpuModel, cores } = host;
  const parts = [
    [os, arch, cpuModel, cores],
    [versions.stampede, versions.deno, generator, versions[generator]],
    [server.id, server.attached, server.folder, env],
    [scenario.id, scenario.request],
    [load.connections, load.shards],
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/** Stores choices in a JSON file. */
export class StoredChoices implements GeneratorChoices {
  readonly #path: string | null;
  #choices: ReadonlyMap<string, string>;

  private constructor(path: string | null, choices: ReadonlyMap<string, string>) {
    this.#path = path;
    this.#choices = choices;
  }

  /**
   * Reads the choices from a file. A missing or damaged file counts as empty.
   *
   * @param path null stores nothing
   */
  static async open(path: string | null): Promise<StoredChoices> {
    return new StoredChoices(path, path === null ? new Map() : await readChoices(path));
  }

  get(key: string): string | undefined {
    return this.#choices.get(key);
  }

  async keep(choices: ReadonlyMap<string, string>): Promise<void> {
    const path = this.#path;
    if (path === null || choices.size === 0) return;
    // Another run may have stored choices in the meantime.
    const all = [...await readChoices(path), ...choices].slice(-MOST_KEPT);
    this.#choices = new Map(all);
    const temporary = `${path}.${Deno.pid}`;
    try {
      await mkdir(dirname(path), { recursive: true });
      await Deno.writeTextFile(temporary, JSON.stringify(Object.fromEntries(all), null, 1) + "\n");
      await Deno.rename(temporary, path);
    } catch {
      // Without the file, the next run repeats the pilot windows.
      await Deno.remove(temporary).catch(() => {});
    }
  }
}

async function readChoices(path: string): Promise<Map<string, string>> {
  try {
    const choices: unknown = JSON.parse(await Deno.readTextFile(path));
    const entries = typeof choices === "object" && choices !== null ? Object.entries(choices) : [];
    return new Map(entries.filter((entry) => typeof entry[1] === "string"));
  } catch {
    return new Map();
  }
}
