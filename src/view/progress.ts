import { estimateS } from "../experiment/durations.ts";
import type { Block, BlockResult } from "../model/block.ts";
import type { Cell } from "../model/derived.ts";
import type { Event, Note, Phase, Plan, WhyMore } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import type { TrialResult } from "../model/raw.ts";
import { duration, rate } from "./format.ts";
import { oneLine, printable } from "../model/text.ts";
import { describeReason } from "./reasons.ts";
import { faultName } from "./tables/faults.ts";

/** Of a reason, which a server may have written. */
const LONGEST = 200;

/** Shows how far a run is: a line that changes on a terminal, a line for each trial elsewhere. */
export interface Progress {
  show(event: Event): void;
  /** Leaves a clean line behind. */
  close(): void;
}

/** Where progress is shown, and how long the run is. */
export interface ProgressOptions {
  readonly write: (text: string) => void;
  /** Width of a terminal; null if the output is none. */
  readonly columns: number | null;
  /** How many arms take part; their names are left out if it is one. */
  readonly arms: number;
}

/** Progress on a terminal or in a log. */
export function createProgress({ write, columns, arms }: ProgressOptions): Progress {
  const trials: Trial[] = [];
  const blocks: Block[] = [];
  /** Under which numbers of connections each scenario is measured. */
  const sweeps = new Map<string, Set<number>>();
  let [measuredTrials, measuredBlocks] = [0, 0];
  /** The last start of a server that failed, which each of its scenarios would tell again. */
  let unstarted = "";
  /** What failed in slices, which the blocks after it would tell again. */
  const toldOfSlices = new Set<string>();
  const transient = (text: string): void => {
    if (columns !== null) write(`\r\x1b[2K${printable(text).slice(0, columns - 1)}`);
  };
  const lasting = (text: string): void => {
    transient("");
    write(`${text}\n`);
  };
  const taskOf = (scenario: string, connections: number): string =>
    (sweeps.get(scenario)?.size ?? 0) > 1 ? `${scenario} at ${connections}` : scenario;
  const nameOf = ({ arm, scenario, load }: Trial): string => {
    const task = taskOf(scenario, load.connections);
    return arms > 1 ? `${arm} ${task}` : task;
  };
  const nameOfBlock = ({ scenario, connections, arms: { length } }: Block): string =>
    `${taskOf(scenario, connections)} in slices of ${length} servers`;
  const place = (measuredTrials: number, round: string): string =>
    `[${measuredTrials + measuredBlocks + 1}/${trials.length + blocks.length}] ${round}`;
  const left = (): string => {
    const ahead = { trials: trials.slice(measuredTrials), blocks: blocks.slice(measuredBlocks) };
    return `${duration(estimateS(ahead))} left`;
  };
  const showResult = ({ trial, failure }: TrialResult, { requestsPerS, reason }: Cell): void => {
    const start = failure?.kind === "start" ? `${trial.round} ${trial.arm}` : "";
    if (start !== "" && start === unstarted) return;
    unstarted = start;
    const line = `${place(trial.index, roundOf(trial))}: ${start ? trial.arm : nameOf(trial)}`;
    if (requestsPerS === null) {
      lasting(`${line}: ${shortened(reason ? describeReason(reason) : "failed")}`);
    } else if (columns === null) {
      write(`${line}: ${rate(requestsPerS.median)} req/s\n`);
    }
  };
  const showBlock = ({ block, failures }: BlockResult): void => {
    const line = `${place(measuredTrials, `round ${block.round}`)}: ${nameOfBlock(block)}`;
    for (const { arm, message } of failures) {
      if (toldOfSlices.has(`${arm} ${message}`)) continue;
      toldOfSlices.add(`${arm} ${message}`);
      lasting(`${line}: ${arm}: ${shortened(message)}`);
    }
    if (columns === null && failures.length === 0) write(`${line}\n`);
    measuredBlocks++;
  };
  const add = ({ trials: more, blocks: moreBlocks }: Plan): void => {
    trials.push(...more);
    blocks.push(...moreBlocks);
    const loads = more.filter(({ purpose }) => purpose !== "scale")
      .map(({ scenario, load: { connections } }) => ({ scenario, connections }));
    for (const { scenario, connections } of [...loads, ...moreBlocks]) {
      sweeps.set(scenario, (sweeps.get(scenario) ?? new Set()).add(connections));
    }
  };
  return {
    show: (event) => {
      switch (event.kind) {
        case "phase":
          return transient(describePhase(event.phase));
        case "note":
          return lasting(describeNote(event.note));
        case "plan":
          return add(event.plan);
        case "more": {
          const why = describeMore(event.why);
          add(event.plan);
          transient(why);
          if (columns === null) write(`${why}\n`);
          return;
        }
        case "start": {
          const { trial } = event;
          measuredTrials = trial.index;
          return transient(`${place(trial.index, roundOf(trial))}: ${nameOf(trial)} - ${left()}`);
        }
        case "result":
          measuredTrials = event.result.trial.index + 1;
          return showResult(event.result, event.cell);
        case "block": {
          const { block } = event;
          const where = place(measuredTrials, `round ${block.round}`);
          return transient(`${where}: ${nameOfBlock(block)} - ${left()}`);
        }
        case "sliced":
          return showBlock(event.result);
        case "report":
          return;
      }
    },
    close: () => transient(""),
  };
}

function roundOf({ purpose, round }: Trial): string {
  return purpose === "probe" ? "probe" : `round ${round}`;
}

function describePhase(phase: Phase): string {
  switch (phase.kind) {
    case "database":
      return "Starting the database";
    case "fastest":
      return "Looking for the fastest load generator";
    case "fault":
      return `${phase.server}: ${faultName(phase.fault)}`;
    case "building": {
      const { server, command, line, tookS } = phase;
      const doing = `Building ${server}${command === null ? "" : `: ${command}`}`;
      return line === null ? doing : `${doing} (${Math.round(tookS)} s) ${line.trim()}`;
    }
  }
}

function describeNote(note: Note): string {
  switch (note.kind) {
    case "database":
      return `Using ${describeDatabase(note)}`;
    case "building":
      return `Building ${note.server}, which later runs need not do again`;
    case "built":
      return `Built ${note.server} in ${Math.round(note.tookS)} s`;
    case "unpinned":
      return `Not pinned: ${note.reason}`;
    case "no-reference":
      return `No cost in reference answers: there is no ${note.server}: ${note.reason}`;
    case "ceiling": {
      const { generator, answersPerS, problem } = note;
      const reached = answersPerS === null ? problem : `${rate(answersPerS)} answers a second`;
      return `${generator}: ${reached} against canned bytes`;
    }
    case "loading": {
      const { generator, scenarios } = note;
      return scenarios === null
        ? `Loading with ${generator}`
        : `Loading ${scenarios.join(", ")} with ${generator}, which knows where a wave begins`;
    }
    case "taken-over":
      return `Loading ${note.scenarios.join(", ")} with ${note.generator}, since ${
        note.limited.join(" or ")
      } would be the limit`;
    case "exposed":
      return `${note.generator} has the ${
        note.parts.join(" and the ")
      } of the request in its command line, where other users of this machine can read them: choose another --generator to hide them`;
    case "waves": {
      const waves = note.scenarios.join(", ");
      const blind = note.generators.join(", ");
      return `${waves}: ${blind} cannot tell where a wave of answers begins, and counts the last wait as a whole or not at all; ${note.knows} can`;
    }
  }
}

/** A database as people know it. */
export function describeDatabase(
  { label, isEmbedded }: Extract<Note, { kind: "database" }>,
): string {
  return `${label}${isEmbedded ? " (embedded)" : ""}`;
}

function describeMore(why: WhyMore): string {
  switch (why.kind) {
    case "probe":
      return `Looking whether ${why.generators.join(" or ")} would be the limit`;
    case "scale":
      return `scale test of ${why.scenario}: twice the ${why.what}`;
    case "width":
      return `round ${why.round}: intervals wider than ${Math.round(1000 * why.width) / 10} %`;
    case "confirm":
      return `round ${why.round}: whether ${why.scenarios.join(", ")} is slower is measured again`;
  }
}

function shortened(text: string): string {
  return printable(oneLine(text).slice(0, LONGEST));
}
