/** Estimates the remaining time of a run. */
import { estimateS } from "../experiment/durations.ts";
import type { Block } from "../model/block.ts";
import type { Plan } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";

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
  #doneTrials = 0;
  #doneBlocks = 0;
  /** Time when the first window or block began, in milliseconds; null before that. */
  #beganMs: number | null = null;
  /** The current window or block, with the time when it began; null between two of them. */
  #current: { readonly isBlock: boolean; readonly beganMs: number } | null = null;

  /** A search decides by each window about the next one. The clock is monotonic, in milliseconds. */
  constructor(readonly isSearch: boolean, readonly nowMs: () => number) {}

  /** Adds windows and blocks. Without `mostAddedS`, a limit in seconds, the earlier one shrinks by them. */
  add(plan: Plan, mostAddedS: number | null): void {
    this.#trials.push(...plan.trials);
    this.#blocks.push(...plan.blocks);
    const mostS = this.#mostAddedS;
    this.#mostAddedS = mostAddedS ??
      (mostS === null ? null : Math.max(0, mostS - estimateS(plan)));
  }

  /** A window begins, or a block if there is no trial. */
  began(trial?: Trial): void {
    if (trial !== undefined) this.#doneTrials = this.#before(trial);
    const beganMs = this.nowMs();
    this.#beganMs ??= beganMs;
    this.#current = { isBlock: trial === undefined, beganMs };
  }

  ended(trial?: Trial): void {
    if (trial === undefined) this.#doneBlocks++;
    else this.#doneTrials = this.#before(trial) + 1;
    this.#current = null;
  }

  /** Returns the number of planned windows before a window. Indices have gaps: some pilot windows are left out. */
  #before({ index }: Trial): number {
    return this.#trials.filter((trial) => trial.index < index).length;
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
    return this.isSearch ? `[${done + 1}]` : `[${done + 1}/${all}]`;
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
    const nowMs = this.nowMs();
    const sinceS = (beganMs: number | undefined | null): number =>
      (nowMs - (beganMs ?? nowMs)) / 1000;
    const [currentS, passedS] = [sinceS(this.#current?.beganMs), sinceS(this.#beganMs)];
    const pace = doneS < PACED_S ? 1 : Math.min(SLOWEST, Math.max(1, (passedS - currentS) / doneS));
    const addedS = this.isSearch ? pace * this.#mostAddedS : this.#mostAddedS;
    const { trials, blocks } = this.ahead;
    const isBlock = this.#current?.isBlock;
    const afterS = pace * estimateS({
      trials: isBlock === false ? trials.slice(1) : trials,
      blocks: isBlock ? blocks.slice(1) : blocks,
    });
    const underWayS = Math.max(0, pace * estimateS({ trials, blocks }) - afterS - currentS);
    if (this.isSearch && addedS === 0 && afterS === 0 && underWayS === 0) return this.place;
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
