import type { Cell } from "../model/derived.ts";
import type { Trial } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import { estimateS } from "../experiment/plan.ts";
import { duration, printable, rate } from "./format.ts";

/** Of a reason, which a server may have written. */
const LONGEST = 200;

/** Shows how far a run is: a line that changes on a terminal, a line for each trial elsewhere. */
export interface Progress {
  /** Something is being done that is not a trial. */
  phase(text: string): void;
  /** Something that the person should know, and that stays. */
  note(text: string): void;
  /** These trials are planned. */
  plan(trials: readonly Trial[]): void;
  /** More trials have been planned than there were. */
  more(trials: readonly Trial[], why: string): void;
  start(trial: Trial): void;
  /** A trial has ended; the cell is what its window alone says. */
  end(result: TrialResult, cell: Cell): void;
  /** Leaves a clean line behind. */
  close(): void;
}

/** Where progress is shown, and how long the run is. */
export interface ProgressOptions {
  readonly write: (text: string) => void;
  /** Width of a terminal; null if the output is none. */
  readonly columns: number | null;
  /** How many servers take part; their names are left out if it is one. */
  readonly targets: number;
}

/** Progress on a terminal or in a log. */
export function createProgress(options: ProgressOptions): Progress {
  const { write, columns, targets } = options;
  const trials: Trial[] = [];
  /** The last server that could not be started, which would say so for each scenario. */
  let unstarted = "";
  const transient = (text: string): void => {
    if (columns !== null) write(`\r\x1b[2K${printable(text).slice(0, columns - 1)}`);
  };
  const nameOf = ({ target, scenario, load }: Trial): string => {
    const task = isSweep(trials) ? `${scenario} at ${load.connections}` : scenario;
    return targets > 1 ? `${target} ${task}` : task;
  };
  const place = ({ index }: Trial): string => `[${index + 1}/${trials.length}]`;
  return {
    phase: transient,
    note: (text) => {
      transient("");
      write(`${text}\n`);
    },
    plan: (planned) => void trials.push(...planned),
    more: (more, why) => {
      trials.push(...more);
      transient(why);
      if (columns === null) write(`${why}\n`);
    },
    start: (trial) =>
      transient(
        `${place(trial)} round ${trial.round}: ${nameOf(trial)} - ${
          duration(estimateS(trials.slice(trial.index)))
        } left`,
      ),
    end: ({ trial, failure }, { requestsPerS, reason }) => {
      const start = failure?.kind === "start" ? `${trial.round} ${trial.target}` : "";
      if (start !== "" && start === unstarted) return;
      unstarted = start;
      const isFine = requestsPerS !== null;
      const outcome = isFine ? `${rate(requestsPerS.median)} req/s` : oneLine(reason);
      if (!isFine) transient("");
      if (!isFine || columns === null) {
        write(
          `${place(trial)} round ${trial.round}: ${
            start ? trial.target : nameOf(trial)
          }: ${outcome}\n`,
        );
      }
    },
    close: () => transient(""),
  };
}

/** Whether a scenario is measured under several numbers of connections. */
function isSweep(trials: readonly Trial[]): boolean {
  const [first] = trials;
  return trials.some(({ scenario, load }) =>
    scenario === first?.scenario && load.connections !== first.load.connections
  );
}

function oneLine(text: string | null): string {
  return printable((text ?? "failed").replaceAll(/\s*\n\s*/g, " ").slice(0, LONGEST));
}
