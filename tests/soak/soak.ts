import { fileURLToPath } from "node:url";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { provideDatabase } from "../../src/database/provide.ts";
import { Metronome } from "../../src/load/metronome.ts";
import { startNullServer } from "../../src/load/null_server.ts";
import { Failure } from "../../src/model/errors.ts";
import { needsDatabase } from "../../src/model/scenario.ts";
import type { Server } from "../../src/model/server.ts";
import { pause } from "../../src/process/pause.ts";
import type { ProcessScope } from "../../src/process/scope.ts";
import { launch, type RunningServer } from "../../src/target/launch.ts";
import type { LoadCounts, LoadOrder } from "./load_process.ts";
import { Probes } from "./latency_probe.ts";
import { type Held, readHeld, type Sample } from "./sample.ts";

const LOAD = fileURLToPath(new URL("./load_process.ts", import.meta.url));
/** Scenarios that only repeat the routes of others. */
const LEFT_OUT = ["isolation", "isolation-inline", "primes-published", "hello", "get-hello"];
/** Time for the server to close its clients' descriptors after the load, in ms. */
const CLOSING_MS = 15_000;
const CLOSING_POLL_MS = 200;
/** Maximum time to stop, in seconds, from docs/contract.md. */
const STOP_S = 10;
/** Connections of the server to the database at most; it opens them when it needs them. */
const DB_CONNECTIONS = 10;
/** Additional descriptors allowed after the load. */
const SPARE_FILES = DB_CONNECTIONS + 2;

/** Parameters of a soak. */
export interface SoakOptions {
  readonly server: Server;
  readonly seconds: number;
  /** Length of an interval in seconds. */
  readonly sampleS: number;
  /** New clients per second; every n-th one is hostile (0: none). */
  readonly perS: number;
  readonly hostileEvery: number;
  /** Ends it early. */
  readonly signal: AbortSignal;
  readonly onSample: (sample: Sample) => void;
}

/** Results of a soak. */
export interface Soaked {
  readonly samples: readonly Sample[];
  /** State before the load, and after the time to close descriptors. */
  readonly before: Held;
  readonly after: Held;
  /** Time the server took to stop, in seconds. */
  readonly stopS: number;
  readonly lastFailure: string | null;
  /** Problems after the load. */
  readonly problems: readonly string[];
}

/**
 * Starts a server and its database, loads it, and samples it until the time is over.
 *
 * @throws {Failure} if the server or the load process ends early.
 */
export async function soak(scope: ProcessScope, options: SoakOptions): Promise<Soaked> {
  const { server, perS, hostileEvery, signal } = options;
  const scenarios = SCENARIOS.filter(({ id }) => id in server.scenarios && !LEFT_OUT.includes(id));
  const database = !scenarios.some(needsDatabase) ? null : await provideDatabase(scope, {
    env: () => undefined, // always an embedded database
    allowRemote: false,
    connections: DB_CONNECTIONS,
    onChosen: () => {},
  });
  const running = await launch(scope, server, {
    database: database?.address ?? null,
    env: {},
  });
  const { origin, pid } = running;
  if (pid === null) throw new Failure(`The process of ${server.name} is not known`);
  const fetched = await fetch(origin);
  const response = {
    status: fetched.status,
    headers: fetched.headers,
    text: await fetched.text(),
  };
  await using reference = await startNullServer(scope, response, null);
  const before = await readHeld(pid);
  const load = startLoad(scope, {
    origin,
    perS,
    hostileEvery,
    scenarios: scenarios.map(({ id }) => id),
  });
  const samples = await measure(options, { running, load, reference: reference.origin });
  await load.stop();
  const after = signal.aborted ? await readHeld(pid) : await closed(pid, before.files);
  const stopS = await stopped(running);
  const problems = [
    ...(after.files > before.files + SPARE_FILES
      ? [`it holds ${after.files} descriptors, ${after.files - before.files} more than before`]
      : []),
    ...(stopS > STOP_S ? [`it took ${stopS.toFixed(1)} s to stop`] : []),
  ];
  const { lastFailure } = load.counts();
  return { samples, before, after, stopS, lastFailure, problems: signal.aborted ? [] : problems };
}

interface Load {
  counts(): LoadCounts;
  /** How the process ended; null: it is running. */
  problem(): string | null;
  stop(): Promise<void>;
}

function startLoad(scope: ProcessScope, order: LoadOrder): Load {
  let counts: LoadCounts = {
    right: 0,
    refused: 0,
    failed: 0,
    hostile: 0,
    staying: 0,
    lastFailure: null,
  };
  const child = scope.spawn({
    argv: [Deno.execPath(), "run", "--quiet", "-A", LOAD, JSON.stringify(order)],
    onLine: (line) => void (counts = JSON.parse(line)),
  });
  return {
    counts: () => counts,
    problem: () => child.hasEnded ? `${child.howItEnded}${child.lastWords}` : null,
    stop: async () => void await child.stop(),
  };
}

async function measure(
  { seconds, sampleS, signal, onSample, server }: SoakOptions,
  { running, load, reference }: {
    readonly running: RunningServer;
    readonly load: Load;
    readonly reference: string;
  },
): Promise<Sample[]> {
  using metronome = new Metronome();
  using probes = new Probes(metronome, [running.origin, reference]);
  const samples: Sample[] = [];
  const startedMs = performance.now();
  let last = load.counts();
  for (let i = 1; i <= Math.round(seconds / sampleS); i++) {
    const atS = i * sampleS;
    try {
      await pause(Math.max(0, startedMs + 1000 * atS - performance.now()), signal);
    } catch (error) {
      if (signal.aborted) return samples;
      throw error;
    }
    const { process, pid } = running;
    if (process?.hasEnded) {
      throw new Failure(`${server.name} ${process.howItEnded}${process.lastWords}`);
    }
    const problem = load.problem();
    if (problem !== null) throw new Failure(`The clients' process ${problem}`);
    const [latency = null, other = null] = probes.take();
    const counts = load.counts();
    const sample: Sample = {
      atS,
      ...await readHeld(pid ?? 0),
      latency,
      reference: other,
      right: counts.right - last.right,
      refused: counts.refused - last.refused,
      failed: counts.failed - last.failed,
      hostile: counts.hostile - last.hostile,
    };
    last = counts;
    samples.push(sample);
    onSample(sample);
  }
  return samples;
}

/** Waits until the server has closed its clients' descriptors, or until `CLOSING_MS` have passed. */
async function closed(pid: number, files: number): Promise<Held> {
  const deadline = performance.now() + CLOSING_MS;
  for (;;) {
    const held = await readHeld(pid);
    if (held.files <= files + SPARE_FILES || performance.now() > deadline) return held;
    await pause(CLOSING_POLL_MS);
  }
}

async function stopped({ process }: RunningServer): Promise<number> {
  const startedMs = performance.now();
  await process?.stop(2000 * STOP_S);
  return (performance.now() - startedMs) / 1000;
}
