import { estimateS } from "../experiment/durations.ts";
import type { Block } from "../model/block.ts";
import type { Plan } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import { clock } from "./format.ts";

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
