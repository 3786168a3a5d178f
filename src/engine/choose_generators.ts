/** The choice of the load generators of a run, and the file that keeps it for later runs. */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { hasWindows } from "../experiment/planner.ts";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { LoadGenerator } from "../load/generator.ts";
import type { MissingGenerator } from "../load/generator_list.ts";
import type { Note } from "../model/events.ts";
import type { Experiment, Trial, Variant } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import type { Alpn } from "../model/server.ts";
import { isSpecial, type Scenario } from "../model/scenario.ts";
import { type GeneratorStatus, isPresent, type PresentGenerator } from "./generator_pool.ts";
import type { RunContext, RunStart } from "./run_context.ts";
import type { OpenTestbed } from "./testbed.ts";

/** Value of `--generator` that selects the fastest load generator on this machine. */
const FASTEST = "auto";
/** The generator for loads that not every generator can drive. */
const ABLE = "stampede";

/** Returns the generators that variants name; a missing or unfit one throws a `UsageError`. */
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
 * Chooses the load generators of a run (the one that drives most workloads comes first), and that of
 * each workload. If a variant asks for the fastest one and the run has windows, it measures which one
 * that is. Throws a `UsageError` if a generator is unfit, and a `Failure` if none works.
 */
export async function chooseGenerators(
  run: RunStart,
  all: readonly GeneratorStatus[],
  named: readonly PresentGenerator[],
): Promise<Pick<RunContext, "generatorOf"> & { readonly generators: PresentGenerator[] }> {
  const { experiment, emit } = run;
  const { variants, scenarios, load, design: { fallback } } = experiment;
  const note = (note: Note): Promise<void> => emit({ kind: "note", note });
  const waves = scenarios.filter(({ cycle }) => cycle !== null).map(({ id }) => id);
  const special = scenarios.filter(isSpecial).map(({ id }) => id);
  let fastest: PresentGenerator | null = null;
  let forWaves: PresentGenerator | null = null;
  if (hasWindows(experiment) && variants.some(({ generator }) => generator === FASTEST)) {
    fastest = forWaves = await fastestGenerator(run, all);
    await note({ kind: "loading", generator: fastest.generator.id, scenarios: null });
    if (waves.length > 0 && !fastest.generator.isBuiltIn) {
      forWaves = presentGenerator(all, ABLE);
      await note({ kind: "loading", generator: ABLE, scenarios: waves });
    }
  }
  const areAble = [fastest, ...named].every((one) => one?.generator.canTalk ?? true);
  const forSpecial = special.length === 0 || areAble ? null : presentGenerator(all, ABLE);
  if (forSpecial !== null) await note({ kind: "loading", generator: ABLE, scenarios: special });
  const present = [fastest, ...named, forWaves, forSpecial].filter((one) => one !== null);
  const generators = [...new Map(present.map((one) => [one.generator.id, one])).values()];
  if (fastest !== null) assertAbilities(experiment, [fastest]);
  for (const { generator } of generators) {
    const parts = exposedParts(experiment, generator);
    if (parts.length > 0) await note({ kind: "exposed", generator: generator.id, parts });
  }
  // With a fixed number of requests, the user chooses how many whole waves are sent.
  const blind = named.filter(({ generator }) => !generator.isBuiltIn)
    .map(({ generator }) => generator.id);
  if (waves.length > 0 && blind.length > 0 && load.requests === null) {
    await note({ kind: "waves", scenarios: waves, generators: blind, knows: ABLE });
  }
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

function presentGenerator(all: readonly GeneratorStatus[], id: string): PresentGenerator {
  const status = all.find(({ generator }) => generator.id === id);
  if (status === undefined) throw new UsageError(`There is no load generator "${id}"`);
  if (isPresent(status)) return status;
  const { install } = status.found as MissingGenerator;
  throw new UsageError(`The load generator ${id} is not installed: ${install}`);
}

/**
 * Measures the ceilings of all installed generators that speak HTTP/1.1 and returns the fastest.
 * HTTP/1.0 makes some servers do other work, such as one connection for each request.
 */
async function fastestGenerator(
  { experiment: { load }, testbed, emit, signal }: RunStart,
  all: readonly GeneratorStatus[],
): Promise<PresentGenerator> {
  const [connections = load.defaultConnections] = load.connections ?? [];
  const shape = { connections, shards: load.shards };
  await emit({ kind: "phase", phase: { kind: "fastest" } });
  let fastest: PresentGenerator | null = null;
  let mostPerS = -Infinity;
  for (const present of all.filter(isPresent)) {
    const { generator } = present;
    if (generator.http !== "1.1" || !speaks(generator, load.tls)) continue;
    let responsesPerS: number | null = null;
    let problem: string | null = null;
    try {
      ({ responsesPerS } = await testbed.ceilingOf(present, shape, signal));
      if (responsesPerS > mostPerS) [fastest, mostPerS] = [present, responsesPerS];
    } catch (error) {
      signal.throwIfAborted();
      problem = messageOf(error);
    }
    const note = { kind: "ceiling", generator: generator.id, responsesPerS, problem } as const;
    await emit({ kind: "note", note });
  }
  if (fastest === null) throw new Failure("No load generator works on this machine");
  return fastest;
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

function speaks({ tls }: LoadGenerator, alpn: Alpn | null): boolean {
  return alpn === null || tls.includes(alpn);
}

/** @throws {UsageError} if a load generator cannot drive the experiment. */
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
    if (load.shards > 1 && threads !== "configured") {
      throw new UsageError(
        `${id} has no setting for --shards: leave it out, or choose another --generator`,
      );
    }
  }
}

/** Returns the key under which a choice is stored: a hash, because a request may contain secrets. */
export function choiceKey(
  { host, versions }: Pick<Report, "host" | "versions">,
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

/** Maximum number of choices in the file. The oldest ones are dropped. */
const MOST_KEPT = 1000;

/** Opens the choices in a JSON file (null: only in memory). A missing or damaged file is empty. */
export async function openChoices(path: string | null): Promise<OpenTestbed["generatorChoices"]> {
  let known = path === null ? new Map<string, string>() : await readChoices(path);
  return {
    get: (key) => known.get(key),
    keep: async (choices) => {
      // Another run may have stored choices in the meantime.
      const before = path === null ? known : await readChoices(path);
      known = new Map([...before, ...choices].slice(-MOST_KEPT));
      if (path === null || choices.size === 0) return;
      const temporary = `${path}.${Deno.pid}`;
      const json = JSON.stringify(Object.fromEntries(known), null, 1);
      try {
        await Deno.mkdir(dirname(path), { recursive: true });
        await Deno.writeTextFile(temporary, `${json}\n`);
        await Deno.rename(temporary, path);
      } catch {
        // Without the file, the next run repeats the pilot windows.
        await Deno.remove(temporary).catch(() => {});
      }
    },
  };
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
