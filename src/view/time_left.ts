import { estimateS } from "../experiment/durations.ts";
import type { Block } from "../model/block.ts";
import type { Plan } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import { clock } from "./format.ts";

const BAR_LENGTH = 10;
/** Estimated seconds that have to be done before their true length says how fast this machine is. */
const PACED_S = 10;
/** Largest factor by which a machine can be slower than the estimates. */
const SLOWEST = 10;

/** What is planned of a run, what of it is done, and how long the rest takes. */
export class TimeLeft {
  readonly #trials: Trial[] = [];
  readonly #blocks: Block[] = [];
  /** Seconds that may be added to the plan; null before the plan is known. */
  #mostAddedS: number | null = null;
  /** Whether each window says what the next one is. */
  readonly #isSearch: boolean;
  readonly #nowMs: () => number;
  #doneTrials = 0;
  #doneBlocks = 0;
  /** When the first window or block began. */
  #beganMs: number | null = null;
  /** When the one under way began; null: none is. */
  #currentMs: number | null = null;
  #isBlock = false;

  /** @param nowMs a monotonic clock in milliseconds */
  constructor(isSearch: boolean, nowMs: () => number) {
    this.#isSearch = isSearch;
    this.#nowMs = nowMs;
  }

  /** @param mostAddedS seconds that may follow this plan; null: this plan uses up part of the previous allowance */
  add({ trials, blocks }: Plan, mostAddedS: number | null): void {
    this.#trials.push(...trials);
    this.#blocks.push(...blocks);
    const mostS = this.#mostAddedS;
    this.#mostAddedS = mostAddedS ??
      (mostS === null ? null : Math.max(0, mostS - estimateS({ trials, blocks })));
  }

  /** The windows before this one are done, and this one too if it has ended. */
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

  /** What is planned and not done. */
  get ahead(): Plan {
    return {
      trials: this.#trials.slice(this.#doneTrials),
      blocks: this.#blocks.slice(this.#doneBlocks),
    };
  }

  /** The place of what is under way among all windows and blocks: `[3/48]`, or `[3]` of a search. */
  get place(): string {
    const done = this.#doneTrials + this.#doneBlocks;
    const all = this.#trials.length + this.#blocks.length;
    return this.#isSearch ? `[${done + 1}]` : `[${done + 1}/${all}]`;
  }

  /**
   * Says how far the run is: a bar, and one time, `[##--------] at most 2:10 left`; briefly `≤ 2:10 left`.
   * The time for finished work shows the pace of the machine. A search past its limit has no time.
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

  /** Estimated seconds of what follows the window or block under way. */
  #estimateAfterS(): number {
    const { trials, blocks } = this.ahead;
    if (this.#currentMs === null) return estimateS({ trials, blocks });
    return estimateS(
      this.#isBlock ? { trials, blocks: blocks.slice(1) } : { trials: trials.slice(1), blocks },
    );
  }
}
