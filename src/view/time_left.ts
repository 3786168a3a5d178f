import { estimateS } from "../experiment/durations.ts";
import type { Block } from "../model/block.ts";
import type { Plan } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import { clock } from "./format.ts";

const BAR_LENGTH = 10;

/** What is planned of a run, what of it is done, and how long the rest takes. */
export class TimeLeft {
  readonly #trials: Trial[] = [];
  readonly #blocks: Block[] = [];
  /** Seconds that may be added to what is planned. */
  #mostAddedS: number | null = null;
  /** Whether each window says what the next one is. */
  readonly #isSearch: boolean;
  #doneTrials = 0;
  #doneBlocks = 0;

  constructor(isSearch = false) {
    this.#isSearch = isSearch;
  }

  /** @param mostAddedS seconds that may be added to the first rounds; null: this adds to them */
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
  }

  blockEnded(): void {
    this.#doneBlocks++;
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

  /** A bar, and how long the rest takes: `[##--------] 2:10 left (3:01 at most)`; briefly `2:10 left`. */
  describe(isBrief: boolean): string {
    // Before there is a plan, nobody knows
    if (this.#mostAddedS === null) return this.place;
    const mostAddedS = this.#mostAddedS;
    const leftS = estimateS(this.ahead);
    const [left, most] = [leftS, leftS + mostAddedS].map(clock);
    if (isBrief) return `${left} left`;
    const allS = estimateS({ trials: this.#trials, blocks: this.#blocks });
    const filled = Math.floor(BAR_LENGTH * (allS === 0 ? 0 : 1 - leftS / allS));
    const bar = "#".repeat(filled).padEnd(BAR_LENGTH, "-");
    return `[${bar}] ${left} left${left === most ? "" : ` (${most} at most)`}`;
  }
}
