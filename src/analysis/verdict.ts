import type { Evidence, Limit, PartEvidence, Verdict } from "../model/derived.ts";
import type { TrialResult } from "../model/raw.ts";
import { typical } from "./estimate.ts";
import { evidenceOf } from "./evidence.ts";
import { requestsPerS } from "./figures.ts";

/** How many cores each part may use. */
export interface Cores {
  /** All of the machine's; null if Stampede may not use all, since the rest tells nothing then. */
  readonly machine: number | null;
  /** Of a server whose threads take turns, no more than run at a time. */
  readonly server: number;
  readonly database: number;
  readonly generator: number;
}

/** A thread that runs for so much of the time is at its limit. */
const THREAD_LIMIT = 0.95;
/** A program that uses so much of the cores that it may use is at its limit. */
const CORES_LIMIT = 0.9;
/** A generator that reaches so much of its ceiling is at its limit. */
const CEILING_LIMIT = 0.9;
/** A rate that twice the shards raise by more than this was the generator's. */
const SCALE_GAIN = 0.05;
/** Below this Little's law says that connections lay idle in the generator. */
const LITTLE_LIMIT = 0.85;
/** A machine with less idle time than this has no core left. */
const NO_IDLE = 0.05;
/** With less idle time than this, parts are in each other's way. */
const CROWDED = 0.1;
/** Cores that programs use which do not take part: with more, a limit here is not the parts' own. */
const OTHERS = 0.5;
/** Whoever uses less than this of a core, and by its busiest thread of the time, is not the limit. */
const NOT_BUSY = 0.7;

const PARTS = ["server", "database", "generator"] as const;
const NAMES = { server: "the server", database: "PostgreSQL", generator: "the load generator" };

/**
 * What the limit of a cell was, from all its windows.
 *
 * @param usesDatabase whether the scenario asks a database
 */
export function judge(
  results: readonly TrialResult[],
  cores: Cores,
  usesDatabase: boolean,
): Verdict {
  const measured = results.filter(({ trial }) => trial.purpose === "measure");
  const rate = typical(measured, ({ window }) => window && requestsPerS(window));
  const evidence = evidenceOf(results, cores.machine);
  const isDatabaseHidden = usesDatabase && evidence.database === null;
  return { ...decide(evidence, rate ?? 0, cores, isDatabaseHidden), evidence };
}

/**
 * Whoever is at its own limit of parallelism is named; the rules and how their thresholds were found
 * are in docs/methodology.md.
 *
 * @param rate requests per second
 * @param isDatabaseHidden whether a database takes part whose processes nobody here can see
 */
export function decide(
  evidence: Evidence,
  rate: number,
  cores: Cores,
  isDatabaseHidden = false,
): Omit<Verdict, "evidence"> {
  const { machine, little, scaleGain } = evidence;
  const verdict = (limit: Limit, ...reasons: string[]): Omit<Verdict, "evidence"> => ({
    limit,
    reasons,
    needsScaleTest: false,
  });
  const part = (name: typeof PARTS[number]): string => `${NAMES[name]} ${busy(evidence[name])}`;

  const full = PARTS.filter((name) =>
    isFull(evidence[name], cores[name]) || (name === "generator" && isAtCeiling(evidence, rate))
  );
  if (full.includes("generator") && full.length > 1) {
    if (scaleGain === null) {
      const reason = "only more shards could tell which of them was the limit";
      return { ...verdict("unclear", ...full.map(part), reason), needsScaleTest: true };
    }
    const isGenerator = scaleGain > SCALE_GAIN;
    const change = `twice the shards changed the rate by ${percent(scaleGain)}`;
    const [other = "server"] = full.filter((name) => name !== "generator");
    return verdict(isGenerator ? "generator" : other, ...full.map(part), change);
  }
  if (full.length > 0) {
    const [first = "server"] = full;
    return verdict(first, ...full.map(part), ...ceilingReason(evidence, rate, first));
  }

  if (evidence.server === null && evidence.generator !== null) {
    const reason = "nobody knows which process the server is (--pid says it)";
    return verdict("unclear", reason, part("generator"));
  }
  const known = PARTS.filter((name) => evidence[name]);
  if (known.length === 0 || known.some((name) => evidence[name]?.busiestThread === null)) {
    return verdict("unclear", "this system does not tell who was busy");
  }
  const isCrowded = machine !== null && machine.idle < CROWDED;
  if (machine !== null && machine.otherCores >= OTHERS && isCrowded) {
    const reason = `programs that do not take part used ${machine.otherCores.toFixed(2)} cores`;
    return verdict("machine", reason, ...known.map(part));
  }
  const crowded = PARTS.filter((name) => wantsMore(evidence[name], cores[name], isCrowded));
  if (crowded.length === 1) {
    const [only = "server"] = crowded;
    const waited = "it had to wait for a processor and would have run more";
    return verdict(only, part(only), waited);
  }
  if (machine !== null && machine.idle < NO_IDLE) {
    const reason = `${percent(1 - machine.idle)} of the machine was in use, and nobody at a limit`;
    return verdict("machine", reason, ...known.map(part));
  }
  if (little !== null && little < LITTLE_LIMIT) {
    const reason = `only ${percent(little)} of the connections had a request under way`;
    return verdict("generator", `${reason}: the rest lay idle in the load generator`);
  }
  if (PARTS.every((name) => !isBusy(evidence[name], isCrowded))) {
    if (isDatabaseHidden) {
      return verdict(
        "unclear",
        "nobody was busy but perhaps the database, which is not Stampede's",
      );
    }
    const idle = machine === null ? "" : `, and ${percent(machine.idle)} of the machine idle`;
    return verdict("wait", `nobody was busy${idle}`);
  }
  return verdict("unclear", ...known.map(part));
}

/** Whether a program ran as much as it can. */
function isFull(part: PartEvidence | null, cores: number): boolean {
  if (part === null) return false;
  return (part.busiestThread ?? 0) >= THREAD_LIMIT || part.cores >= CORES_LIMIT * cores;
}

/**
 * Whether a program would have run as much as it can, had it not had to wait for a processor. What all
 * its threads waited counts only on a crowded machine: elsewhere they waited for each other.
 */
function wantsMore(part: PartEvidence | null, cores: number, isCrowded: boolean): boolean {
  const wanted = isCrowded ? part?.wantedCores ?? 0 : 0;
  return demand(part) >= THREAD_LIMIT || wanted >= CORES_LIMIT * cores;
}

/** Whether a program used, or wanted to use, so much that it may have been the limit. */
function isBusy(part: PartEvidence | null, isCrowded: boolean): boolean {
  const used = Math.max(part?.cores ?? 0, isCrowded ? part?.wantedCores ?? 0 : 0);
  return demand(part) >= NOT_BUSY || used >= NOT_BUSY;
}

/** How much of the time a program's busiest thread ran or waited to. */
function demand(part: PartEvidence | null): number {
  return (part?.busiestThread ?? 0) + (part?.runQueueWait ?? 0);
}

function isAtCeiling({ ceilingPerS, isCeilingReached }: Evidence, rate: number): boolean {
  return isCeilingReached === true && rate >= CEILING_LIMIT * (ceilingPerS ?? Infinity);
}

function ceilingReason(evidence: Evidence, rate: number, limit: Limit): string[] {
  const { ceilingPerS } = evidence;
  if (limit !== "generator" || !isAtCeiling(evidence, rate) || ceilingPerS === null) return [];
  return [`it reached ${percent(ceilingPerS / rate)} of this rate against canned bytes`];
}

function busy(part: PartEvidence | null): string {
  if (part === null) return "is not known";
  const { cores, busiestThread, runQueueWait } = part;
  const thread = busiestThread === null ? "" : `, its busiest thread ran ${percent(busiestThread)}`;
  const wait = runQueueWait === null ? "" : ` and waited ${percent(runQueueWait)} of the time`;
  return `used ${cores.toFixed(2)} cores${thread}${wait}`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
