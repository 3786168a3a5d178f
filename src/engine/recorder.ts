import { deriveResults, deriveScaling, type ResultContext } from "../analysis/derive_results.ts";
import { compareServers, noiseOf, rank } from "../analysis/comparisons.ts";
import { addRelativeFigures } from "../analysis/derive_changes.ts";
import { isSameResult } from "../analysis/keys.ts";
import { deriveCapacities } from "../analysis/capacities.ts";
import { deriveOpenLoopResults } from "../analysis/derive_open_loop_results.ts";
import { type Available, summariseScenarios, summariseServers } from "../analysis/summaries.ts";
import { recordOf } from "../experiment/compose.ts";
import type { CostKey } from "../model/costs.ts";
import type { Result } from "../model/derived.ts";
import type { Experiment } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import { FORMAT, type Host, type Report, type RunPart } from "../model/report.ts";
import { sum } from "../stats/median.ts";
import type { PresentGenerator } from "./generator_pool.ts";
import type { Testbed } from "./testbed.ts";

/** Facts about a run before its first window. */
interface RunFacts extends Pick<Report, "host" | "pinning" | "commit" | "versions" | "database"> {
  readonly origin: Testbed["origin"];
  readonly experiment: Experiment;
  readonly generators: readonly PresentGenerator[];
  readonly servers: readonly Available[];
  readonly context: ResultContext;
  /** The report of the run to continue; null for a new run. */
  readonly resumed: Report | null;
}

/** What a run has measured, or failed to measure, so far. */
type Measured = Pick<
  Report,
  | "launches"
  | "trialResults"
  | "blocks"
  | "openChecks"
  | "profiles"
  | "selfTimes"
  | "costs"
  | "costAbsences"
  | "counts"
  | "countAbsences"
>;

/** Number of measurements up to which a run stores its report after each of them. */
const SHORT_RUN = 100;
/** A longer run stores it after this number of measurements, because storing takes time. */
const KEEP_EVERY = 10;

/** Collects the measurements of a run and makes its report. */
export class Recorder {
  readonly facts: RunFacts;
  #measured: Measured = {
    launches: [],
    trialResults: [],
    blocks: [],
    openChecks: [],
    profiles: [],
    selfTimes: [],
    costs: [],
    costAbsences: [],
    counts: [],
    countAbsences: [],
  };

  /** The windows and blocks of the resumed run. */
  readonly #earlier: ReadonlySet<unknown>;

  constructor(facts: RunFacts) {
    const { resumed } = facts;
    this.facts = facts;
    this.#earlier = new Set([...resumed?.trialResults ?? [], ...resumed?.blocks ?? []]);
    if (resumed === null) return;
    const { launches, trialResults, blocks } = resumed;
    this.#measured = { ...this.#measured, launches, trialResults, blocks };
  }

  get trialResults(): Report["trialResults"] {
    return this.#measured.trialResults;
  }

  get blocks(): Report["blocks"] {
    return this.#measured.blocks;
  }

  get costs(): Report["costs"] {
    return this.#measured.costs;
  }

  get costAbsences(): Report["costAbsences"] {
    return this.#measured.costAbsences;
  }

  /** Returns whether costs are missing in the whole run; at any variant, if `variant` is null. */
  lacks({ group, scenario }: CostKey, variant: string | null = null): boolean {
    return this.costAbsences.some((one) =>
      one.group === group && one.scenario === scenario && one.round === null &&
      (one.variant === variant || variant === null)
    );
  }

  /**
   * Whether any new measurement is worth a report. Successful pilot windows are not, and in a resumed run, which
   * has a report, failed ones are not either.
   */
  get hasFigures(): boolean {
    const { resumed } = this.facts;
    const isNew = (one: unknown): boolean => !this.#earlier.has(one);
    const isPilot = ({ trial }: TrialResult): boolean => trial.purpose === "pilot";
    return this.blocks.some(isNew) || this.costs.length > 0 || this.#measured.counts.length > 0 ||
      this.#measured.selfTimes.length > 0 ||
      this.trialResults.some((one) =>
        isNew(one) && tells(one) && !(resumed !== null && isPilot(one))
      );
  }

  /** Whether the report should be stored now. */
  get isDue(): boolean {
    if (!this.hasFigures) return false;
    const length = this.trialResults.length + this.blocks.length;
    return length < SHORT_RUN || length % KEEP_EVERY === 0;
  }

  /** Replaces the windows and blocks by those that count. */
  keep({ trialResults, blocks }: Pick<Report, "trialResults" | "blocks">): void {
    this.#measured = { ...this.#measured, trialResults, blocks };
  }

  /** Records something that was measured or has failed. */
  add<Kind extends keyof Measured>(kind: Kind, one: Measured[Kind][number]): void {
    this.#measured = { ...this.#measured, [kind]: [...this.#measured[kind], one] };
  }

  /** Derives the results from the measurements so far, without the rates that a search tried. */
  results(
    trialResults: readonly TrialResult[] = this.trialResults.filter((one) =>
      tells(one) && !["search", "confirm"].includes(one.trial.purpose)
    ),
  ): Result[] {
    const { context, experiment: { reference } } = this.facts;
    const results = deriveResults(trialResults, context, this.blocks);
    return reference === null ? results : addRelativeFigures(results, this.blocks, reference.id);
  }

  /** Makes the report. `complete`: whether the run finished its plan; `tookS`: seconds so far. */
  report(complete: boolean, tookS: number): Report {
    const { origin, experiment, servers: asked, generators, context, resumed, ...facts } =
      this.facts;
    const { kind, variants: [a, b], search } = experiment;
    const { launches, trialResults, blocks, openChecks, profiles } = this.#measured;
    const record = recordOf(experiment);
    const results = this.results();
    const comparisons = compareServers(this, results);
    const servers = summariseServers(asked, launches, this.costs);
    const workerGroups = new Map(servers.map((server) => [server.id, server.workers]));
    const windows = trialResults.filter(({ trial }) => trial.purpose !== "pilot");
    const used = new Set(windows.map(({ trial }) => trial.generator));
    const durationsS = [
      ...trialResults.map(({ window }) => window?.measurement.durationS ?? 0),
      ...blocks.map(({ slices }) => slices?.durationS ?? 0),
    ];
    return {
      schemaVersion: FORMAT,
      kind: "run",
      ...origin,
      complete,
      tookS,
      parts: [],
      ...resumed && partsWith(resumed, { ...origin, tookS }),
      measuredS: sum(durationsS),
      ...facts,
      host: resumed === null ? facts.host : withEarlier(facts.host, resumed.host),
      experiment: record,
      scenarios: summariseScenarios(experiment),
      generators: generators.filter(({ generator }) => used.has(generator.id))
        .map(({ generator: { id, isBuiltIn: checksBodies, latencyNote }, found: { version } }) => (
          { id, version, checksBodies, latencyNote }
        )),
      servers,
      ...this.#measured,
      profiles: [
        ...(resumed?.profiles ?? []).filter((one) =>
          !profiles.some((own) => isSameResult(own, one))
        ),
        ...profiles,
      ],
      results: rank(results, comparisons, workerGroups),
      openLoopResults: deriveOpenLoopResults(trialResults, openChecks),
      capacities: search === null ? [] : deriveCapacities(trialResults, search, context),
      scaling: kind === "scaling" ? deriveScaling(this, results, record.variants, context) : [],
      comparisons,
      noise: kind === "noise" && a && b ? noiseOf(this, results, [a.id, b.id]) : [],
      changes: null,
    };
  }
}

/** Returns the origin of a resumed run, which is that of its first part, and all parts. */
function partsWith(
  { id, parts, ...first }: Report,
  last: RunPart,
): Pick<Report, "id" | "createdAt" | "tookS" | "parts"> {
  const all = [...parts.length > 0 ? parts : [first], last].map(
    ({ createdAt, command, tookS }) => ({ createdAt, command, tookS }),
  );
  return {
    id,
    createdAt: first.createdAt,
    tookS: sum(all.map(({ tookS }) => tookS)),
    parts: all,
  };
}

/** Returns a machine with the doubtful findings of an earlier part. */
function withEarlier(host: Host, earlier: Host): Host {
  const doubtful = earlier.findings.filter(({ status }) => status === "warn");
  return {
    ...host,
    findings: host.findings.map((finding) =>
      finding.status === "warn"
        ? finding
        : doubtful.find(({ name }) => name === finding.name) ?? finding
    ),
  };
}

/** Returns whether a trial counts as a measurement. Pilot windows count only if they failed. */
function tells({ trial: { purpose }, window }: TrialResult): boolean {
  return purpose !== "pilot" || window === null;
}
