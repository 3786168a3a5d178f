/** Shows the progress of a run, and puts its events into words. */
import { isSameResult, isSameWorkload, resultKeyOf, type Workload } from "../analysis/keys.ts";
import type { Block, BlockResult } from "../model/block.ts";
import type { Change, Result, ResultKey } from "../model/derived.ts";
import type { Note, Phase, Plan, RunEvent, WhyMore } from "../model/events.ts";
import type { Trial } from "../model/experiment.ts";
import { FIGURES } from "../model/figures.ts";
import type { TrialResult } from "../model/raw.ts";
import type { Profile } from "../model/profile.ts";
import { count, oneLine, printable } from "../model/text.ts";
import { byKind, duration, plusMinus, rate, withRelativeCpu, workloadNamer } from "./format.ts";
import { describeReason } from "./reasons.ts";
import { percent } from "./tables/changes_table.ts";
import { FAULT_NAMES } from "./tables/faults_table.ts";
import { TimeLeft } from "./time_left.ts";

/** Smallest width of a terminal with a progress bar, in columns. */
const ROOMY = 72;
/** Maximum length of a reason, in characters: a server may have written it. */
const LONGEST = 200;

interface ProgressOptions {
  readonly write: (text: string) => void;
  /** Width of the terminal; null if the output is not a terminal. */
  readonly columns: number | null;
  /** Number of variants. If there is one, its name is not shown. */
  readonly variants: number;
  readonly isSearch?: boolean;
  readonly nowMs?: () => number;
  readonly everySecond?: (tick: () => void) => () => void;
}

/** Returns the display of a run: one changing line on a terminal, which `close` clears, or a log. */
export function createProgress({
  write,
  columns,
  variants,
  isSearch = false,
  nowMs = () => performance.now(),
  everySecond = each,
}: ProgressOptions): { show(event: RunEvent): void; close(): void } {
  const isLog = columns === null;
  const time = new TimeLeft(isSearch, nowMs);
  const workloads: Workload[] = [];
  let named = workloadNamer([]);
  let results: readonly Result[] = [];
  let changes: readonly Change[] = [];
  /** Results with figures that are final and on the screen. */
  let finished: readonly ResultKey[] = [];
  /** Failures on the screen. Every window and block of a server repeats them. */
  const shown = new Set<string>();
  let stopTicks = (): void => {};

  const isNew = (...failure: readonly string[]): boolean => {
    const { size } = shown;
    return shown.add(failure.join(" ")).size > size;
  };
  const clear = (): void => {
    stopTicks();
    if (!isLog) write("\r\x1b[2K");
  };
  const transient = (text: () => string): void => {
    if (isLog) return;
    stopTicks();
    const draw = (): void => write(`\r\x1b[2K${printable(text()).slice(0, columns - 1)}`);
    draw();
    stopTicks = everySecond(draw);
  };
  const lasting = (text: string): void => {
    clear();
    write(`${text}\n`);
  };
  const log = (text: string): void => {
    if (isLog) write(`${text}\n`);
  };
  const left = (): string => time.describe(!isLog && columns < ROOMY);
  const nameOf = ({ variant, ...key }: ResultKey): string =>
    `${variants > 1 ? `${variant} ` : ""}${named(key)}`;
  const nameOfTrial = (trial: Trial): string =>
    nameOf({ ...resultKeyOf(trial), connections: trial.load.connections });
  const partOfBlock = (block: Block): string =>
    `round ${block.round}: ${named(block)} in slices of ${block.variants.length} servers`;
  const figureInSlices = (block: Block): string => {
    const [only, ...others] = results.filter((result) => isSameWorkload(result, block));
    if (only !== undefined && others.length === 0) return ` ${figureOf(only)}`.trimEnd();
    const change = changes.find((one) => isSameWorkload(one, block));
    if (!change?.ratio) return "";
    const { metric, ratio, confidenceInterval } = change;
    const interval = plusMinus({ median: ratio, confidenceInterval });
    return ` ${FIGURES[metric].column.heading} ${percent(ratio)}${interval}`;
  };

  const showTrialResult = ({ trial, failure }: TrialResult, result: Result): void => {
    const { requestsPerS, reason } = result;
    const isStart = failure?.kind === "start";
    if (isStart && !isNew(trial.variant, shortened(failure.message))) return;
    time.began(trial);
    const name = isStart ? trial.variant : nameOfTrial(trial);
    const line = `${time.place} ${partOf(trial, isSearch)}: ${name}`;
    if (requestsPerS !== null) log(`${line}: ${rate(requestsPerS.median)} req/s`);
    else lasting(`${line}: ${shortened(reason ? describeReason(reason) : "failed")}`);
  };
  const showBlock = ({ block, failures }: BlockResult): void => {
    const line = `${time.place} ${partOfBlock(block)}`;
    for (const { variant, message } of failures) {
      const text = shortened(message);
      if (isNew(variant, text)) lasting(`${line}: ${variant}: ${text}`);
    }
    if (failures.length === 0) log(line);
  };
  /** Shows a profile. A server that cannot be profiled gets one line, not one per scenario. */
  const showProfile = ({ variant, scenario, reason }: Profile): void => {
    if (reason === null) return log(`profile: ${variant} ${scenario}`);
    const text = shortened(describeReason(reason));
    const at = reason.kind === "message" ? ` at ${scenario}` : "";
    if (isNew("profile", variant, text)) lasting(`No profile of ${variant}${at}: ${text}`);
  };
  const showFinished = (): void => {
    if (isLog) return;
    const { trials, blocks } = time.ahead;
    for (const result of results.filter(({ requestsPerS }) => requestsPerS !== null)) {
      const isAhead = trials.some((trial) => isSameResult(resultKeyOf(trial), result)) ||
        blocks.some(({ scenario }) => scenario === result.scenario);
      if (isAhead || finished.some((key) => isSameResult(key, result))) continue;
      finished = [...finished, result];
      lasting(`${nameOf(result)}: ${figureOf(result)}`);
    }
  };
  const add = (plan: Plan, mostAddedS: number | null): void => {
    time.add(plan, mostAddedS);
    const { trials, blocks } = plan;
    const planned = trials.filter(({ purpose }) => purpose !== "scale").map(resultKeyOf);
    workloads.push(...planned, ...blocks);
    named = workloadNamer(workloads);
    // Results that are measured again are shown again
    const again = trials.filter(({ purpose }) => purpose === "measure").map(resultKeyOf);
    finished = finished.filter((key) => !again.some((one) => isSameResult(one, key)));
  };

  return {
    show: (event) => {
      switch (event.kind) {
        case "phase": {
          const { phase } = event;
          const beganMs = nowMs();
          transient(() => describePhase(phase, (nowMs() - beganMs) / 1000));
          if (phase.kind === "fault") log(describePhase(phase, 0));
          return;
        }
        case "note":
          return lasting(describeNote(event.note));
        case "plan":
          return add(event.plan, event.mostAddedS);
        case "more": {
          const why = describeMore(event.why);
          add(event.plan, event.mostAddedS);
          transient(() => why);
          // The window's own line follows in a search
          if (event.why.kind !== "search") log(why);
          return;
        }
        case "start": {
          const { trial } = event;
          time.began(trial);
          const result = results.find((one) => isSameResult(one, resultKeyOf(trial)));
          const figure = result?.requestsPerS ? ` ${figureOf(result)}` : "";
          const doing = `${partOf(trial, isSearch)}: ${nameOfTrial(trial)}${figure}`;
          return transient(() => `${left()} ${doing}`);
        }
        case "result":
          showTrialResult(event.trialResult, event.result);
          time.ended(event.trialResult.trial);
          return showFinished();
        case "block": {
          time.began();
          const figure = figureInSlices(event.block);
          return transient(() => `${left()} ${partOfBlock(event.block)}${figure}`);
        }
        case "sliced":
          showBlock(event.blockResult);
          time.ended();
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

/** Calls a function every second, without keeping the process alive, until the returned one is called. */
function each(tick: () => void): () => void {
  const timer = setInterval(tick, 1000);
  Deno.unrefTimer(timer);
  return () => clearInterval(timer);
}

/** Returns the figures of a result: `72,600 req/s ± 16 %, rel. CPU 0.99 ± 2.1 %`. */
function figureOf({ requestsPerS, relativeCpu }: Result): string {
  const reached = requestsPerS && `${rate(requestsPerS.median)} req/s${plusMinus(requestsPerS)}`;
  return withRelativeCpu(reached, relativeCpu);
}

function partOf({ purpose, round }: Trial, isSearch: boolean): string {
  if (purpose === "confirm") return "fresh process";
  if (purpose === "pilot" || purpose === "search") return purpose;
  return isSearch ? "response times" : `round ${round}`;
}

function shortened(text: string): string {
  return printable(oneLine(text).slice(0, LONGEST));
}

/** Time after which a phase shows how long it has taken, in seconds. */
const LONG_S = 2;

const doingOf = byKind<Phase>({
  database: () => "Starting the database",
  "open-check": ({ perS }) => `Checking the open loop against theory at ${rate(perS)} req/s`,
  profiling: ({ server, scenario }) => `Profiling ${server} at ${scenario}`,
  costs: ({ round, groups }) => `Round ${round} of costs: ${groups.join(", ")}`,
  counting: ({ servers, scenario }) => `Counting at ${scenario}: ${servers.join(" and ")}`,
  fastest: () => "Looking for the fastest load generator",
  ceiling: ({ place, of, generator }) => `[${place}/${of}] ${generator} against canned bytes`,
  fault: ({ place, of, server, fault }) => `[${place}/${of}] ${server}: ${FAULT_NAMES[fault]}`,
  building: ({ server, command }) => `Building ${server}${command === null ? "" : `: ${command}`}`,
});

/** Returns what the run is doing now, and how long if it is long: `Looking for …, 12 s`. */
function describePhase(phase: Phase, tookS: number): string {
  const doing = doingOf(phase);
  if (phase.kind !== "building") return tookS < LONG_S ? doing : `${doing}, ${duration(tookS)}`;
  const allS = phase.tookS + tookS;
  const took = allS < LONG_S ? "" : ` (${duration(allS)})`;
  return `${doing}${took}${phase.line === null ? "" : ` ${phase.line.trim()}`}`;
}

const describeNote = byKind<Note>({
  database: (note) => `Using ${describeDatabase(note)}`,
  building: ({ server }) => `Building ${server}, once: later runs reuse it`,
  "build-in-use": ({ server }) =>
    `Waiting for another Stampede that builds or uses ${server}; another --cache folder avoids the wait`,
  built: ({ server, tookS, bytes }) =>
    `Built ${server} in ${Math.round(tookS)} s: ${Math.ceil(bytes / 1e6)} MB in the cache`,
  unpinned: ({ reason }) => `Not pinned: ${reason}`,
  "no-reference": ({ server, reason }) =>
    `No relative CPU time, because ${server} is missing: ${reason}`,
  ceiling: ({ generator, responsesPerS, problem }) => {
    const reached = responsesPerS === null ? problem : `${rate(responsesPerS)} req/s`;
    return `${generator}: ${reached} against canned bytes`;
  },
  loading: ({ generator, scenarios }) =>
    scenarios === null
      ? `Loading with ${generator}`
      : `Loading ${scenarios.join(", ")} with ${generator}, the only generator that supports it`,
  "taken-over": ({ scenarios, generator, limited, isKept }) =>
    `Loading ${scenarios.join(", ")} with ${generator}, because ${limited.join(" or ")} ` +
    `would be the bottleneck${isKept ? ", as an earlier run found" : ""}`,
  exposed: ({ parts, generator }) =>
    `Other users of this machine can read the request's ${parts.join(" and ")} ` +
    `in the command line of ${generator}: choose another --generator to hide them`,
  waves: ({ scenarios, generators, knows }) =>
    `${scenarios.join(", ")}: responses come in waves, and ${generators.join(", ")} ` +
    `counts the last, partial wave wrongly; --generator ${knows} does not`,
});

/** Returns the label of a database, and whether Stampede runs it: `PostgreSQL … at … (embedded)`. */
export function describeDatabase(note: Extract<Note, { kind: "database" }>): string {
  return `${note.label}${note.isEmbedded ? " (embedded)" : ""}`;
}

const describeMore = byKind<WhyMore>({
  pilot: ({ generators }) => `Checking whether ${generators.join(" or ")} would be the bottleneck`,
  scale: ({ scenario, what }) => `Scale test of ${scenario}: twice the ${what}`,
  width: ({ round, width }) =>
    `Adding round ${round}: half intervals exceed ${Math.round(1000 * width) / 10} %`,
  verdict: ({ rounds, scenarios }) =>
    `Adding ${count(rounds, "round")}: a change of ${
      scenarios.join(", ")
    } is neither proven nor excluded`,
  search: ({ scenario, variant, perS, isFresh }) => {
    const by = isFresh ? " by a fresh process" : "";
    return `${scenario} of ${variant}: is the SLO met at ${rate(perS)}/s${by}?`;
  },
  curve: ({ scenario, variant, perS }) =>
    `${scenario} of ${variant} meets the SLO at ${rate(perS)}/s: ` +
    "measuring response times at shares of it",
  confirm: ({ round, scenarios }) =>
    `Adding round ${round} to confirm the slowdown of ${scenarios.join(", ")}`,
});
