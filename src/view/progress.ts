import { isSameResult, isSameWorkload, resultKeyOf, type Workload } from "../analysis/keys.ts";
import type { Block, BlockResult } from "../model/block.ts";
import type { Change, Result, ResultKey } from "../model/derived.ts";
import type { Phase, Plan, RunEvent } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import { FIGURES } from "../model/figures.ts";
import type { TrialResult } from "../model/raw.ts";
import type { Profile } from "../model/profile.ts";
import { oneLine, printable } from "../model/text.ts";
import { multiple, plusMinus, rate, workloadNamer } from "./format.ts";
import { describeMore, describeNote, describePhase, TimeLeft } from "./progress_notes.ts";
import { describeReason } from "./reasons.ts";
import { percent } from "./tables/changes_table.ts";

/** Smallest width of a terminal with a progress bar, in columns. */
const ROOMY = 72;
/** Maximum length of a reason, in characters: a server may have written it. */
const LONGEST = 200;

/** Shows the progress of a run: one changing line on a terminal, a line per trial elsewhere. */
export interface Progress {
  show(event: RunEvent): void;
  /** Clears the changing line. */
  close(): void;
}

/** Options of {@linkcode createProgress}. */
interface ProgressOptions {
  readonly write: (text: string) => void;
  /** Width of the terminal; null if the output is not a terminal. */
  readonly columns: number | null;
  /** Number of variants. If there is one, its name is not shown. */
  readonly variants: number;
  /** Whether the run searches for a capacity, so that each window decides about the next one. */
  readonly isSearch?: boolean;
  /** Returns the time of a monotonic clock, in milliseconds. */
  readonly nowMs?: () => number;
  /** Calls `tick` every second; the returned function stops it. */
  readonly everySecond?: (tick: () => void) => () => void;
}

/** Returns a progress display for a terminal or a log. */
export function createProgress(
  {
    write,
    columns,
    variants,
    isSearch = false,
    nowMs = () => performance.now(),
    everySecond = each,
  }: ProgressOptions,
): Progress {
  const time = new TimeLeft(isSearch, nowMs);
  const names = new Names(variants);
  /** Results in the last report. */
  let results: readonly Result[] = [];
  /** Changes in the last report. */
  let changes: readonly Change[] = [];
  /** Results with figures that are final and on the screen. */
  let finished: readonly ResultKey[] = [];
  /**
   * Failures that were already shown. Every window and block of a server repeats them, but each is shown only
   * once.
   */
  const shown = new Set<string>();
  const isNew = (variant: string, message: string): boolean => {
    const key = `${variant} ${message}`;
    const isKnown = shown.has(key);
    shown.add(key);
    return !isKnown;
  };
  const unprofiled = new Set<string>();
  let stopTicks = (): void => {};
  const clear = (): void => {
    stopTicks();
    if (columns !== null) write("\r\x1b[2K");
  };
  /** Shows a text, updated every second, until the next text replaces it. */
  const transient = (text: () => string): void => {
    if (columns === null) return;
    stopTicks();
    const draw = (): void => write(`\r\x1b[2K${printable(text()).slice(0, columns - 1)}`);
    draw();
    stopTicks = everySecond(draw);
  };
  const lasting = (text: string): void => {
    clear();
    write(`${text}\n`);
  };
  const showPhase = (phase: Phase): void => {
    const beganMs = nowMs();
    transient(() => describePhase(phase, (nowMs() - beganMs) / 1000));
    if (columns === null && phase.kind === "fault") write(`${describePhase(phase, 0)}\n`);
  };
  const left = (): string => time.describe(columns !== null && columns < ROOMY);
  const figureSoFar = (key: ResultKey): string => {
    const result = results.find((one) => isSameResult(one, key));
    return result?.requestsPerS ? ` ${figureOf(result)}` : "";
  };
  /** Returns the figures so far: those of the only server, or the change between two servers. */
  const figureInSlices = (block: Block): string => {
    const own = results.filter((result) => isSameWorkload(result, block));
    const [only] = own;
    if (only !== undefined && own.length === 1) return ` ${figureOf(only)}`.trimEnd();
    const change = changes.find((one) => isSameWorkload(one, block));
    if (!change?.ratio) return "";
    const { metric, ratio, confidenceInterval } = change;
    const figure = `${FIGURES[metric].column.heading} ${percent(ratio)}`;
    return ` ${figure}${plusMinus(confidenceInterval && { median: ratio, confidenceInterval })}`;
  };
  const showTrialResult = (
    { trial, failure }: TrialResult,
    { requestsPerS, reason }: Result,
  ): void => {
    const isStart = failure?.kind === "start";
    if (isStart && !isNew(trial.variant, shortened(failure.message))) return;
    time.reached(trial, false);
    const line = `${time.place} ${partOf(trial, isSearch)}: ${
      isStart ? trial.variant : names.of(trial)
    }`;
    if (requestsPerS === null) {
      lasting(`${line}: ${shortened(reason ? describeReason(reason) : "failed")}`);
    } else if (columns === null) {
      write(`${line}: ${rate(requestsPerS.median)} req/s\n`);
    }
  };
  const showBlock = ({ block, failures }: BlockResult): void => {
    const line = `${time.place} round ${block.round}: ${names.ofBlock(block)}`;
    for (const { variant, message } of failures) {
      if (!isNew(variant, shortened(message))) continue;
      lasting(`${line}: ${variant}: ${shortened(message)}`);
    }
    if (columns === null && failures.length === 0) write(`${line}\n`);
  };
  /** Shows a profile. A server that cannot be profiled gets one line, not one per scenario. */
  const showProfile = ({ variant, scenario, reason }: Profile): void => {
    if (reason === null) {
      if (columns === null) write(`profile: ${variant} ${scenario}\n`);
      return;
    }
    const text = shortened(describeReason(reason));
    if (unprofiled.has(`${variant} ${text}`)) return;
    unprofiled.add(`${variant} ${text}`);
    lasting(
      `No profile of ${variant}${reason.kind === "message" ? ` at ${scenario}` : ""}: ${text}`,
    );
  };
  const showFinished = (): void => {
    if (columns === null) return;
    const { trials, blocks } = time.ahead;
    for (const result of results.filter(({ requestsPerS }) => requestsPerS !== null)) {
      const isAhead = trials.some((trial) => isSameResult(resultKeyOf(trial), result)) ||
        blocks.some(({ scenario }) => scenario === result.scenario);
      if (isAhead || finished.some((key) => isSameResult(key, result))) continue;
      finished = [...finished, result];
      lasting(`${names.ofResult(result)}: ${figureOf(result)}`);
    }
  };
  const add = (plan: Plan, mostAddedS: number | null): void => {
    time.add(plan, mostAddedS);
    names.add(plan);
    // Results that are measured again are shown again
    finished = finished.filter((key) =>
      !plan.trials.some((trial) =>
        trial.purpose === "measure" && isSameResult(resultKeyOf(trial), key)
      )
    );
  };
  return {
    show: (event) => {
      switch (event.kind) {
        case "phase":
          return showPhase(event.phase);
        case "note":
          return lasting(describeNote(event.note));
        case "plan":
          return add(event.plan, event.mostAddedS);
        case "more": {
          const why = describeMore(event.why);
          add(event.plan, event.mostAddedS);
          transient(() => why);
          // The window's own line follows in a search
          if (columns === null && event.why.kind !== "search") write(`${why}\n`);
          return;
        }
        case "start": {
          const { trial } = event;
          time.reached(trial, false);
          const figure = figureSoFar(resultKeyOf(trial));
          return transient(() =>
            `${left()} ${partOf(trial, isSearch)}: ${names.of(trial)}${figure}`
          );
        }
        case "result":
          showTrialResult(event.trialResult, event.result);
          time.reached(event.trialResult.trial, true);
          return showFinished();
        case "block": {
          const { block } = event;
          time.blockBegan();
          const figure = figureInSlices(block);
          return transient(() =>
            `${left()} round ${block.round}: ${names.ofBlock(block)}${figure}`
          );
        }
        case "sliced":
          showBlock(event.blockResult);
          time.blockEnded();
          return showFinished();
        case "profiled":
          return showProfile(event.profile);
        case "report":
          ({ results } = event.report);
          changes = event.report.changes?.changes ?? [];
          return showFinished();
      }
    },
    close: clear,
  };
}

/**
 * Calls a function every second, without keeping the process alive. Returns a function that stops it.
 */
function each(tick: () => void): () => void {
  const timer = setInterval(tick, 1000);
  Deno.unrefTimer(timer);
  return () => clearInterval(timer);
}

/**
 * Names trials by scenario. Adds the server if there are several, and the load if a scenario has
 * several.
 */
class Names {
  readonly #variants: number;
  readonly #workloads: Workload[] = [];
  #named = workloadNamer([]);

  constructor(variants: number) {
    this.#variants = variants;
  }

  add({ trials, blocks }: Plan): void {
    const loads = trials.filter(({ purpose }) => purpose !== "scale")
      .map(resultKeyOf);
    this.#workloads.push(...loads, ...blocks);
    this.#named = workloadNamer(this.#workloads);
  }

  of(trial: Trial): string {
    return this.ofResult({ ...resultKeyOf(trial), connections: trial.load.connections });
  }

  ofResult({ variant, ...key }: ResultKey): string {
    const workload = this.#named(key);
    return this.#variants > 1 ? `${variant} ${workload}` : workload;
  }

  ofBlock({ variants: { length }, ...block }: Block): string {
    return `${this.#named(block)} in slices of ${length} servers`;
  }
}

/** Returns the figures of a result: `72,600 req/s ± 16 %, rel. CPU 0.99 ± 2.1 %`. */
function figureOf({ requestsPerS, relativeCpu }: Result): string {
  return [
    ...(requestsPerS === null
      ? []
      : [`${rate(requestsPerS.median)} req/s${plusMinus(requestsPerS)}`]),
    ...(relativeCpu === null ? [] : [
      `rel. CPU ${multiple(relativeCpu.ratio)}${
        plusMinus({ ...relativeCpu, median: relativeCpu.ratio })
      }`,
    ]),
  ].join(", ");
}

/**
 * Returns the part of the run to which a window belongs: `round 2`, `pilot`, `search`. A search has no
 * rounds.
 */
function partOf({ purpose, round }: Trial, isSearch: boolean): string {
  if (purpose === "confirm") return "fresh process";
  if (purpose === "pilot" || purpose === "search") return purpose;
  return isSearch ? "response times" : `round ${round}`;
}

function shortened(text: string): string {
  return printable(oneLine(text).slice(0, LONGEST));
}
