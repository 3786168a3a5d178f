/** Makes texts for the events of a run other than figures. */

import { estimateS } from "../experiment/durations.ts";
import type { Block } from "../model/block.ts";
import type { Note, Phase, Plan, WhyMore } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import { clock, duration, rate } from "./format.ts";
import { faultName } from "./tables/faults_table.ts";

/** Time after which a phase shows how long it has taken, in seconds. */
const LONG_S = 2;

/**
 * Returns what the run is doing now: `Looking for the fastest load generator, 12 s`.
 *
 * @param tookS seconds since the phase was reported
 */
export function describePhase(phase: Phase, tookS: number): string {
  if (phase.kind === "building") return describeBuilding(phase, phase.tookS + tookS);
  const doing = doingOf(phase);
  return tookS < LONG_S ? doing : `${doing}, ${duration(tookS)}`;
}

function doingOf(phase: Exclude<Phase, { readonly kind: "building" }>): string {
  switch (phase.kind) {
    case "database":
      return "Starting the database";
    case "open-check":
      return `Checking the open loop against theory at ${rate(phase.perS)} req/s`;
    case "profiling":
      return `Profiling ${phase.server} at ${phase.scenario}`;
    case "fastest":
      return "Looking for the fastest load generator";
    case "ceiling":
      return `[${phase.place}/${phase.of}] ${phase.generator} against canned bytes`;
    case "fault":
      return `[${phase.place}/${phase.of}] ${phase.server}: ${faultName(phase.fault)}`;
  }
}

function describeBuilding(
  { server, command, line }: Extract<Phase, { readonly kind: "building" }>,
  tookS: number,
): string {
  const doing = `Building ${server}${command === null ? "" : `: ${command}`}`;
  const took = tookS < LONG_S ? "" : ` (${duration(tookS)})`;
  return `${doing}${took}${line === null ? "" : ` ${line.trim()}`}`;
}

/** Returns a note of a run as a sentence: `Loading with wrk`. */
export function describeNote(note: Note): string {
  switch (note.kind) {
    case "database":
      return `Using ${describeDatabase(note)}`;
    case "building":
      return `Building ${note.server}, once: later runs reuse it`;
    case "build-in-use":
      return `Waiting for another Stampede that builds or uses ${note.server}; another --cache folder avoids the wait`;
    case "built":
      return `Built ${note.server} in ${Math.round(note.tookS)} s: ${
        Math.ceil(note.bytes / 1e6)
      } MB in the cache`;
    case "unpinned":
      return `Not pinned: ${note.reason}`;
    case "no-reference":
      return `No relative CPU time, because ${note.server} is missing: ${note.reason}`;
    case "ceiling": {
      const { generator, responsesPerS, problem } = note;
      const reached = responsesPerS === null ? problem : `${rate(responsesPerS)} req/s`;
      return `${generator}: ${reached} against canned bytes`;
    }
    case "loading": {
      const { generator, scenarios } = note;
      return scenarios === null
        ? `Loading with ${generator}`
        : `Loading ${scenarios.join(", ")} with ${generator}, the only generator that supports it`;
    }
    case "taken-over":
      return `Loading ${note.scenarios.join(", ")} with ${note.generator}, because ${
        note.limited.join(" or ")
      } would be the bottleneck${note.isKept ? ", as an earlier run found" : ""}`;
    case "exposed":
      return `Other users of this machine can read the request's ${
        note.parts.join(" and ")
      } in the command line of ${note.generator}: choose another --generator to hide them`;
    case "waves": {
      const waves = note.scenarios.join(", ");
      const blind = note.generators.join(", ");
      return `${waves}: responses come in waves, and ${blind} counts the last, partial wave wrongly; --generator ${note.knows} does not`;
    }
  }
}

/** Returns the label of a database, and whether Stampede runs it: `PostgreSQL … at … (embedded)`. */
export function describeDatabase(
  { label, isEmbedded }: Extract<Note, { kind: "database" }>,
): string {
  return `${label}${isEmbedded ? " (embedded)" : ""}`;
}

/** Returns why the run measures more than was planned. */
export function describeMore(why: WhyMore): string {
  switch (why.kind) {
    case "pilot":
      return `Checking whether ${why.generators.join(" or ")} would be the bottleneck`;
    case "scale":
      return `Scale test of ${why.scenario}: twice the ${why.what}`;
    case "width":
      return `Adding round ${why.round}: half intervals exceed ${
        Math.round(1000 * why.width) / 10
      } %`;
    case "search":
      return `${why.scenario} of ${why.variant}: is the SLO met at ${rate(why.perS)}/s${
        why.isFresh ? " by a fresh process" : ""
      }?`;
    case "curve":
      return `${why.scenario} of ${why.variant} meets the SLO at ${
        rate(why.perS)
      }/s: measuring response times at shares of it`;
    case "confirm":
      return `Adding round ${why.round} to confirm the slowdown of ${why.scenarios.join(", ")}`;
  }
}

/** Length of the progress bar, in characters. */
const BAR_LENGTH = 10;
/**
 * Amount of work, in estimated seconds, that must be finished before the time that it really took corrects
 * the estimates.
 */
const PACED_S = 10;
/** Maximum factor by which the estimates are stretched if the machine is slow. */
const SLOWEST = 10;

/** Tracks the plan of a run, and estimates the remaining time. */
export class TimeLeft {
  readonly #trials: Trial[] = [];
  readonly #blocks: Block[] = [];
  /** Longest time that may still be added to the plan, in seconds; null before the plan is known. */
  #mostAddedS: number | null = null;
  /** Whether the run searches for a capacity, so that each window decides about the next one. */
  readonly #isSearch: boolean;
  readonly #nowMs: () => number;
  #doneTrials = 0;
  #doneBlocks = 0;
  /** Time when the first window or block began, in milliseconds; null before that. */
  #beganMs: number | null = null;
  /** Time when the current window or block began, in milliseconds; null between two of them. */
  #currentMs: number | null = null;
  #isBlock = false;

  /**
   * @param isSearch whether the run searches for a capacity
   * @param nowMs returns the time of a monotonic clock, in milliseconds
   */
  constructor(isSearch: boolean, nowMs: () => number) {
    this.#isSearch = isSearch;
    this.#nowMs = nowMs;
  }

  /**
   * Adds windows and blocks to the plan.
   *
   * @param mostAddedS longest time that later plans may still add, in seconds. If it is null, the limit of
   *   the earlier call stays, less the estimated time of this plan.
   */
  add({ trials, blocks }: Plan, mostAddedS: number | null): void {
    this.#trials.push(...trials);
    this.#blocks.push(...blocks);
    const mostS = this.#mostAddedS;
    this.#mostAddedS = mostAddedS ??
      (mostS === null ? null : Math.max(0, mostS - estimateS({ trials, blocks })));
  }

  /** Marks the windows before this one as done, and this one too if it has ended. */
  reached(trial: Trial, hasEnded: boolean): void {
    this.#doneTrials = trial.index + (hasEnded ? 1 : 0);
    if (hasEnded) this.#currentMs = null;
    else this.#begin(false);
  }

  blockBegan(): void {
    this.#begin(true);
  }

  blockEnded(): void {
    this.#doneBlocks++;
    this.#currentMs = null;
  }

  #begin(isBlock: boolean): void {
    this.#currentMs = this.#nowMs();
    this.#beganMs ??= this.#currentMs;
    this.#isBlock = isBlock;
  }

  /** Returns the windows and blocks that have not ended. */
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
   * Returns a bar and the remaining time: `[##--------] at most 2:10 left`. The real time of finished
   * work corrects the estimate.
   *
   * If the plan is unknown, or a search has taken longer than its limit, returns the {@linkcode
   * place}.
   *
   * @param isBrief whether to return only the time: `≤ 2:10 left`
   */
  describe(isBrief: boolean): string {
    if (this.#mostAddedS === null) return this.place;
    const doneS = estimateS({
      trials: this.#trials.slice(0, this.#doneTrials),
      blocks: this.#blocks.slice(0, this.#doneBlocks),
    });
    const nowMs = this.#nowMs();
    const currentS = this.#currentMs === null ? 0 : (nowMs - this.#currentMs) / 1000;
    const passedS = this.#beganMs === null ? 0 : (nowMs - this.#beganMs) / 1000;
    const pace = doneS < PACED_S ? 1 : Math.min(SLOWEST, Math.max(1, (passedS - currentS) / doneS));
    const addedS = this.#isSearch ? pace * this.#mostAddedS : this.#mostAddedS;
    const afterS = pace * this.#estimateAfterS();
    const underWayS = Math.max(0, pace * estimateS(this.ahead) - afterS - currentS);
    if (this.#isSearch && addedS === 0 && afterS === 0 && underWayS === 0) return this.place;
    const leftS = underWayS + afterS + addedS;
    const isBound = addedS > 0;
    if (isBrief) return `${isBound ? "≤ " : ""}${clock(leftS)} left`;
    const text = `${isBound ? "at most " : ""}${clock(leftS)} left`;
    const share = leftS + passedS === 0 ? 1 : passedS / (passedS + leftS);
    const bar = "#".repeat(Math.floor(BAR_LENGTH * share)).padEnd(BAR_LENGTH, "-");
    return `[${bar}] ${text}`;
  }

  /** Estimates how long the plan takes after the current window or block, in seconds. */
  #estimateAfterS(): number {
    const { trials, blocks } = this.ahead;
    if (this.#currentMs === null) return estimateS({ trials, blocks });
    return estimateS(
      this.#isBlock ? { trials, blocks: blocks.slice(1) } : { trials: trials.slice(1), blocks },
    );
  }
}
