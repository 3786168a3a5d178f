import type { Cell } from "../model/derived.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Commit, Host, Report, RunConfig } from "../model/report.ts";
import type { LaunchRecord, TrialResult } from "../model/raw.ts";
import { writeReport } from "../results/store.ts";
import { summarise, type Surroundings } from "../analysis/cells.ts";
import { compareServers, noiseOf, rank } from "../analysis/comparisons.ts";
import type { Present } from "./generators.ts";
import { summariseScenarios } from "../analysis/scenarios.ts";
import { type Available, summariseServers } from "../analysis/servers.ts";

/** What is known of a run before its first window. */
export interface RunFacts {
  readonly id: string;
  readonly createdAt: string;
  /** By `performance.now()`. */
  readonly startedMs: number;
  /** Where the report goes. */
  readonly path: string;
  readonly host: Host;
  readonly commit: Commit | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly database: string | null;
  readonly config: RunConfig;
  readonly scenarios: readonly Scenario[];
  readonly generators: readonly Present[];
  readonly servers: readonly Available[];
  readonly surroundings: Surroundings;
  readonly twins: readonly [string, string] | null;
}

/** The arguments without what headers say, which may be a password. */
export function withoutSecrets(args: readonly string[]): string[] {
  const hide = (header: string): string => header.replace(/:.*/s, ": ***");
  return args.map((argument, i) => {
    if (["-H", "--header"].includes(args[i - 1] ?? "")) return hide(argument);
    return /^(-H|--header=)/.test(argument) ? hide(argument) : argument;
  });
}

/** A long run is not written again after each of its windows, only after every so many. */
const WRITE_EVERY = 10;
const SHORT_RUN = 100;

/** Keeps what a run measures, and its report up to date. */
export class Recorder {
  readonly #facts: RunFacts;
  readonly #launches: LaunchRecord[] = [];
  readonly #results: TrialResult[] = [];

  constructor(facts: RunFacts) {
    this.#facts = facts;
  }

  /** What was measured so far. */
  get results(): readonly TrialResult[] {
    return this.#results;
  }

  /** A server has been started. */
  launched(launch: LaunchRecord): void {
    this.#launches.push(launch);
  }

  /** A window has been measured, or has failed. */
  async add(result: TrialResult): Promise<void> {
    const results = this.#results;
    results.push(result);
    if (results.length < SHORT_RUN || results.length % WRITE_EVERY === 0) await this.write(false);
  }

  /** What the results say so far. */
  cells(results: readonly TrialResult[] = this.#results): Cell[] {
    return summarise(results, this.#facts.surroundings);
  }

  /** Writes the report. */
  async write(complete: boolean): Promise<Report> {
    const { id, createdAt, startedMs, path, host, commit, database, config, twins } = this.#facts;
    const { versions, scenarios } = this.#facts;
    const results = this.#results;
    const cells = this.cells();
    const comparisons = compareServers(results, cells);
    const servers = summariseServers(this.#facts.servers, this.#launches, config.workers);
    const leagues = new Map(servers.map((server) => [server.id, server.workers]));
    const report: Report = {
      schemaVersion: 1,
      generators: this.#facts.generators.map(({ generator, found }) => {
        const { id, checksBodies, latencyNote } = generator;
        return { id, version: found.version, checksBodies, latencyNote };
      }),
      id,
      createdAt,
      complete,
      host,
      commit,
      versions,
      database,
      config,
      servers,
      scenarios: summariseScenarios(scenarios),
      command: ["deno", "task", "bench", ...withoutSecrets(Deno.args)],
      tookS: (performance.now() - startedMs) / 1000,
      measuredS: results.reduce((sum, { window }) => sum + (window?.measurement.durationS ?? 0), 0),
      launches: this.#launches,
      results,
      cells: rank(cells, comparisons, leagues),
      comparisons,
      noise: twins === null ? [] : noiseOf(results, cells, twins),
    };
    await writeReport(path, report);
    return report;
  }
}
