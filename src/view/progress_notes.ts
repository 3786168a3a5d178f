/** Makes texts for the events of a run other than figures, and estimates the remaining time. */
import { estimateS } from "../experiment/durations.ts";
import type { Block } from "../model/block.ts";
import type { Note, Phase, Plan, WhyMore } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import { byKind, duration, rate } from "./format.ts";
import { FAULT_NAMES } from "./tables/faults_table.ts";

/** Time after which a phase shows how long it has taken, in seconds. */
const LONG_S = 2;

const doingOf = byKind<Exclude<Phase, { readonly kind: "building" }>>({
  database: () => "Starting the database",
  "open-check": ({ perS }) => `Checking the open loop against theory at ${rate(perS)} req/s`,
  profiling: ({ server, scenario }) => `Profiling ${server} at ${scenario}`,
  fastest: () => "Looking for the fastest load generator",
  ceiling: ({ place, of, generator }) => `[${place}/${of}] ${generator} against canned bytes`,
  fault: ({ place, of, server, fault }) => `[${place}/${of}] ${server}: ${FAULT_NAMES[fault]}`,
});

/** Returns what the run is doing now, and how long if it is long: `Looking for …, 12 s`. */
export function describePhase(phase: Phase, tookS: number): string {
  if (phase.kind !== "building") {
    const doing = doingOf(phase);
    return tookS < LONG_S ? doing : `${doing}, ${duration(tookS)}`;
  }
  const { server, command, line } = phase;
  const allS = phase.tookS + tookS;
  const by = command === null ? "" : `: ${command}`;
  const took = allS < LONG_S ? "" : ` (${duration(allS)})`;
  const output = line === null ? "" : ` ${line.trim()}`;
  return `Building ${server}${by}${took}${output}`;
}

/** Returns a note of a run as a sentence: `Loading with wrk`. */
export const describeNote: (note: Note) => string = byKind<Note>({
  database: (note) => `Using ${describeDatabase(note)}`,
  building: ({ server }) => `Building ${server}, once: later runs reuse it`,
  "build-in-use": ({ server }) =>
    `Waiting for another Stampede that builds or uses ${server}; another --cache folder avoids the wait`,
  built: ({ server, tookS, bytes }) =>
    `Built ${server} in ${Math.round(tookS)} s: ${Math.ceil(bytes / 1e6)} MB in the cache`,
  unpinned: ({ reason }) => `Not pinned: ${reason}`,
  "no-reference": ({ server, reason }) =>
    `No relative CPU time, because ${server} is missing: ${reason}`,
  ceiling: ({ generator, responsesPerS, problem }) =>
    `${generator}: ${
      responsesPerS === null ? problem : `${rate(responsesPerS)} req/s`
    } against canned bytes`,
  loading: ({ generator, scenarios }) =>
    scenarios === null
      ? `Loading with ${generator}`
      : `Loading ${scenarios.join(", ")} with ${generator}, the only generator that supports it`,
  "taken-over": ({ scenarios, generator, limited, isKept }) =>
    `Loading ${scenarios.join(", ")} with ${generator}, because ${
      limited.join(" or ")
    } would be the bottleneck${isKept ? ", as an earlier run found" : ""}`,
  exposed: ({ parts, generator }) =>
    `Other users of this machine can read the request's ${
      parts.join(" and ")
    } in the command line of ${generator}: choose another --generator to hide them`,
  waves: ({ scenarios, generators, knows }) =>
    `${scenarios.join(", ")}: responses come in waves, and ${
      generators.join(", ")
    } counts the last, partial wave wrongly; --generator ${knows} does not`,
});

/** Returns the label of a database, and whether Stampede runs it: `PostgreSQL … at … (embedded)`. */
export function describeDatabase(
  { label, isEmbedded }: Extract<Note, { kind: "database" }>,
): string {
  return `${label}${isEmbedded ? " (embedded)" : ""}`;
}

/** Returns why the run measures more than was planned. */
export const describeMore: (why: WhyMore) => string = byKind<WhyMore>({
  pilot: ({ generators }) => `Checking whether ${generators.join(" or ")} would be the bottleneck`,
  scale: ({ scenario, what }) => `Scale test of ${scenario}: twice the ${what}`,
  width: ({ round, width }) =>
    `Adding round ${round}: half intervals exceed ${Math.round(1000 * width) / 10} %`,
  search: ({ scenario, variant, perS, isFresh }) =>
    `${scenario} of ${variant}: is the SLO met at ${rate(perS)}/s${
      isFresh ? " by a fresh process" : ""
    }?`,
  curve: ({ scenario, variant, perS }) =>
    `${scenario} of ${variant} meets the SLO at ${
      rate(perS)
    }/s: measuring response times at shares of it`,
  confirm: ({ round, scenarios }) =>
    `Adding round ${round} to confirm the slowdown of ${scenarios.join(", ")}`,
});

const BAR_LENGTH = 10;
/** Amount of finished work, in estimated seconds, after which its real time corrects the estimates. */
const PACED_S = 10;
/** Maximum factor by which the estimates are stretched if the machine is slow. */
const SLOWEST = 10;

/** Tracks the plan of a run, and estimates the remaining time. */
export class TimeLeft {
  readonly #trials: Trial[] = [];
  readonly #blocks: Block[] = [];
  /** Longest time that may still be added to the plan, in seconds; null before the plan is known. */
  #mostAddedS: number | null = null;
  readonly #isSearch: boolean;
  readonly #nowMs: () => number;
  #doneTrials = 0;
  #doneBlocks = 0;
  /** Time when the first window or block began, in milliseconds; null before that. */
  #beganMs: number | null = null;
  /** The current window or block, with the time when it began; null between two of them. */
  #current: { readonly isBlock: boolean; readonly beganMs: number } | null = null;

  /** A search decides by each window about the next one. The clock is monotonic, in milliseconds. */
  constructor(isSearch: boolean, nowMs: () => number) {
    this.#isSearch = isSearch;
    this.#nowMs = nowMs;
  }

  /** Adds windows and blocks. Without `mostAddedS`, a limit in seconds, the earlier one shrinks by them. */
  add(plan: Plan, mostAddedS: number | null): void {
    this.#trials.push(...plan.trials);
    this.#blocks.push(...plan.blocks);
    const mostS = this.#mostAddedS;
    this.#mostAddedS = mostAddedS ??
      (mostS === null ? null : Math.max(0, mostS - estimateS(plan)));
  }

  /** Marks the windows before this one as done, and this one too if it has ended. */
  reached(trial: Trial, hasEnded: boolean): void {
    this.#doneTrials = trial.index + (hasEnded ? 1 : 0);
    if (hasEnded) this.#current = null;
    else this.#begin(false);
  }

  blockBegan(): void {
    this.#begin(true);
  }

  blockEnded(): void {
    this.#doneBlocks++;
    this.#current = null;
  }

  #begin(isBlock: boolean): void {
    const beganMs = this.#nowMs();
    this.#beganMs ??= beganMs;
    this.#current = { isBlock, beganMs };
  }

  get ahead(): Plan {
    return {
      trials: this.#trials.slice(this.#doneTrials),
      blocks: this.#blocks.slice(this.#doneBlocks),
    };
  }

  /** Returns the number of the current window or block: `[3/48]`, or `[3]` in a search. */
  get place(): string {
    const done = this.#doneTrials + this.#doneBlocks;
    const all = this.#trials.length + this.#blocks.length;
    return this.#isSearch ? `[${done + 1}]` : `[${done + 1}/${all}]`;
  }

  /**
   * Returns a bar and the remaining time: `[##--------] at most 2:10 left`, or briefly `≤ 2:10 left`.
   * Returns only the place if the plan is unknown, or a search has taken longer than its limit.
   */
  describe(isBrief: boolean): string {
    if (this.#mostAddedS === null) return this.place;
    const doneS = estimateS({
      trials: this.#trials.slice(0, this.#doneTrials),
      blocks: this.#blocks.slice(0, this.#doneBlocks),
    });
    const nowMs = this.#nowMs();
    const sinceS = (beganMs: number | undefined | null): number =>
      (nowMs - (beganMs ?? nowMs)) / 1000;
    const [currentS, passedS] = [sinceS(this.#current?.beganMs), sinceS(this.#beganMs)];
    const pace = doneS < PACED_S ? 1 : Math.min(SLOWEST, Math.max(1, (passedS - currentS) / doneS));
    const addedS = this.#isSearch ? pace * this.#mostAddedS : this.#mostAddedS;
    const { trials, blocks } = this.ahead;
    const [nextTrial, nextBlock] = this.#current?.isBlock
      ? [0, 1]
      : this.#current
      ? [1, 0]
      : [0, 0];
    const afterS = pace *
      estimateS({ trials: trials.slice(nextTrial), blocks: blocks.slice(nextBlock) });
    const underWayS = Math.max(0, pace * estimateS({ trials, blocks }) - afterS - currentS);
    if (this.#isSearch && addedS === 0 && afterS === 0 && underWayS === 0) return this.place;
    const leftS = underWayS + afterS + addedS;
    if (isBrief) return `${addedS > 0 ? "≤ " : ""}${clock(leftS)} left`;
    const share = leftS + passedS === 0 ? 1 : passedS / (passedS + leftS);
    const bar = "#".repeat(Math.floor(BAR_LENGTH * share)).padEnd(BAR_LENGTH, "-");
    return `[${bar}] ${addedS > 0 ? "at most " : ""}${clock(leftS)} left`;
  }
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
