/** The command `bisect`: finds the commit or the release that made a server slower. */
import {
  type Bisection,
  halvings,
  mostLooks,
  progressOf,
  ratioOf,
  roundsOfLook,
  type Side,
  sideOf,
} from "../../analysis/bisection.ts";
import { isBeyond, isRegression, roundsToDecide } from "../../analysis/changes.ts";
import { compareVariants, roundRatios } from "../../analysis/variant_changes.ts";
import { isSameResult } from "../../analysis/keys.ts";
import { estimateS } from "../../experiment/durations.ts";
import { BASE, HEAD, versusExperiment } from "../../experiment/kinds.ts";
import { type Draft, draftOf } from "../../experiment/options.ts";
import { Planner } from "../../experiment/planner.ts";
import { select } from "../../experiment/select.ts";
import { BISECTION_FORMAT, type BisectionFile, type Look } from "../../model/bisection.ts";
import type { Change } from "../../model/derived.ts";
import { Failure, FINE, Interrupted, NoServer, UNDECIDED, UsageError } from "../../model/errors.ts";
import type { Experiment } from "../../model/experiment.ts";
import { isMoreBetter, METRICS } from "../../model/figures.ts";
import type { Report } from "../../model/report.ts";
import { count, oneLine, toJson } from "../../model/text.ts";
import { ProcessScope } from "../../process/scope.ts";
import { bisectionPath, readBisection, writeBisection } from "../../results/bisection_file.ts";
import { type Candidate, type Candidates, candidatesBetween } from "../../target/candidates.ts";
import type { State } from "../../target/state.ts";
import {
  type BisectionOutcome,
  type BisectionStep,
  bisectionText,
  describeFollowed,
  describeNext,
  describeSize,
  describeStep,
} from "../../view/bisection_text.ts";
import { duration } from "../../view/format.ts";
import { describeReasons } from "../../view/reasons.ts";
import { gateNotes } from "../../view/gate_notes.ts";
import { changesVerdict } from "../../view/tables/changes_verdict.ts";
import { type Options, type RunSettings, settingsOf } from "../command.ts";
import { dryRun } from "../dry_run.ts";
import type { Io } from "../io.ts";
import { finish, measure, withLine } from "../measure.ts";
import { assertOfSpeed, noiseFor, onlyServer } from "./compare_command.ts";

/**
 * Rounds of a measurement, unless a decision needs more. With ten, one outlier leaves a step undecided: 11 %
 * of simulated steps at a 5 % slowdown and a scatter of 0.9 %. With fourteen, 2 % do.
 */
const ROUNDS = 14;

/** What all measurements share. */
interface Course {
  readonly candidates: Candidates;
  readonly draft: Draft;
  readonly settings: RunSettings;
  readonly io: Io;
  /** The state that all steps are compared with. */
  readonly good: State;
  readonly path: string; // of the file of the unfinished bisection
}

export async function bisect(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { good, bad } = options;
  if (good === undefined || bad === undefined) {
    throw new UsageError(
      "Cannot bisect: give a fast and a slow git revision or release, such as --good v1.0 --bad HEAD",
    );
  }
  assertOfSpeed(options.failOn, "A bisection follows no cost");
  const selection = await select(args, { ...options, head: bad }, io.path);
  // Only times tell which commit is slow
  const draft = draftOf(selection, { ...options, counts: false, profile: false });
  const server = onlyServer(draft, "bisect");
  const settings = await settingsOf(options, io);
  const candidates = await candidatesBetween(server, [good, bad], {
    resolve: io.path,
    stop: io.stop,
    onCheckOut: (name) => io.err(`Checking out ${name.slice(0, 12)}`),
  });
  assertDecidable(draft, candidates.later.length);
  await using scope = new ProcessScope();
  const path = bisectionPath(io, partsOf(draft, candidates));
  const start = await candidates.good.state(scope);
  const course = { candidates, draft, settings, io, path, good: start };
  if (options.dryRun) return await planned(course, scope);
  const known = options.restart ? null : await readBisection(path);
  if (known !== null) {
    const steps = count(known.looks.length + 1, "measurement");
    io.err(`Continuing after ${steps} of an interrupted bisection (--restart begins anew)`);
  }
  const record = known ?? await begin(course, scope);
  return typeof record === "number" ? record : await search(course, record);
}

/** Throws a `UsageError` if --rounds is too small to decide a step, or to prove a slowdown at all. */
function assertDecidable({ design: { rounds }, scenarios }: Draft, candidates: number): void {
  const fewest = Math.max(
    roundsOfLook(candidates),
    roundsToDecide(METRICS.length * scenarios.length),
  );
  if (rounds === null || rounds >= fewest) return;
  throw new UsageError(
    `Cannot decide in ${count(rounds, "round")}: use --rounds ${fewest} or more, or leave it out`,
  );
}

/** Returns everything that the measurements of a bisection depend on. */
function partsOf(draft: Draft, { origin, good, later }: Candidates): unknown {
  return {
    ...draft,
    reference: null,
    servers: draft.servers.map(({ folder }) => folder),
    scenarios: draft.scenarios.map(({ id }) => id),
    design: { ...draft.design, seed: 0 }, // random by default
    range: [origin, good.id, later.at(-1)?.id],
  };
}

/** Measures good against bad. Returns the change to follow, or the exit code if nothing is to be found. */
async function begin(course: Course, scope: ProcessScope): Promise<BisectionFile | number> {
  const { candidates: { later }, draft, settings, io, good } = course;
  const { failOn } = draft.design;
  const bad = await (later.at(-1) as Candidate).state(scope);
  io.err(`${describeSize(later.length)}; first, ${bad.label} against ${good.label}`);
  const { report, path } = await measurePair(course, versusExperiment(draft, [good, bad]));
  const changes = report.changes ?? { changes: [], costs: [], neededRounds: null };
  const slower = changes.changes.filter((change) =>
    change.verdict === "slower" && (failOn === null || isRegression(change, failOn))
  );
  const [followed] = slower.toSorted((a, b) => evidenceOf(b) - evidenceOf(a));
  if (followed !== undefined) {
    io.err(`Following ${describeFollowed(followed)}`);
    const record = { format: BISECTION_FORMAT, followed, report: path, looks: [] } as const;
    await writeBisection(course.path, record);
    return record;
  }
  const broken = changes.changes.find(({ reasons }) =>
    reasons.some(({ kind }) => kind === "not-ok")
  );
  if (broken !== undefined) {
    const why = oneLine(describeReasons(broken.reasons));
    throw new Failure(
      `Cannot bisect ${broken.scenario} (base: ${good.label}, head: ${bad.label}): ${why}`,
    );
  }
  const isOpen = changes.changes.every(({ verdict }) => verdict === "incomparable");
  if (settings.json) {
    const outcome = isOpen ? "incomparable" : "unchanged";
    io.out(toJson({ outcome, candidates: later.length, changes, report: path }));
  } else {
    const gate = { speed: failOn, costs: {}, strict: false };
    const verdict = changesVerdict(changes, gate);
    const notes = gateNotes(changes, gate);
    io.say(
      [`Nothing to find among ${count(later.length, "candidate")}.`, verdict, ...notes].join(" "),
    );
    io.say(`The report is in ${path}`);
  }
  return isOpen ? UNDECIDED : FINE;
}

/** Returns the distance of a change from none, in widths of its confidence interval. */
function evidenceOf({ ratio, confidenceInterval: ends }: Change): number {
  return ratio === null || ends === null
    ? 0
    : Math.abs(Math.log(ratio) / Math.log(ends.high / ends.low));
}

async function search(course: Course, first: BisectionFile): Promise<number> {
  const { candidates: { later }, io } = course;
  let record = first;
  try {
    for (;;) {
      const { good, bad, next } = progressOf(bisectionOf(course, record));
      if (next === null) return await conclude(course, record);
      const candidate = later[next] as Candidate;
      io.err(describeNext(stepsOf(course, record), candidate.label, bad - good));
      const look = await lookAt(candidate, course, record.followed);
      record = { ...record, looks: [...record.looks, look] };
      await writeBisection(course.path, record);
      const last = stepsOf(course, record).at(-1) as BisectionStep;
      io.err(`  ${describeStep(last, record.followed.metric)}`);
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const steps = count(record.looks.length + 1, "measurement");
    throw withLine(error, `The same command continues after ${steps}`);
  }
}

/** Measures a candidate against good. One that cannot be built or measured has the reason. */
async function lookAt(candidate: Candidate, course: Course, followed: Change): Promise<Look> {
  const { io, good } = course;
  const skipped = (why: string, report: string | null = null): Look => (
    { candidate: candidate.id, slowdowns: [], why: oneLine(why), report }
  );
  await using scope = new ProcessScope();
  let experiment: Experiment;
  try {
    const states = [good, await candidate.state(scope)] as const;
    experiment = stepExperiment(course, followed, states, roundsOfStep(course));
  } catch (error) {
    io.stop.throwIfAborted();
    if (!(error instanceof UsageError || error instanceof Failure)) throw error;
    return skipped(error.message);
  }
  try {
    const { report, path } = await measurePair(course, experiment);
    const why = whyUnknown(report, followed);
    if (why !== null) return skipped(why, path);
    const ratios = roundRatios(report, followed);
    const slowdowns = isMoreBetter(followed.metric) ? ratios.map((one) => 1 / one) : ratios;
    return { candidate: candidate.id, slowdowns, why: null, report: path };
  } catch (error) {
    if (!(error instanceof NoServer) || error.variants.includes(BASE)) throw error;
    return skipped(error.message.replace(/^.*\n/, ""));
  }
}

/** Returns the rounds of a measurement. An undecided candidate is measured again, not in more rounds. */
function roundsOfStep({ draft: { design }, candidates: { later } }: Course): number {
  return design.rounds ?? Math.max(ROUNDS, roundsOfLook(later.length));
}

/** Returns an experiment for the followed scenario; without `rounds`, it ends at a verdict. */
function stepExperiment(
  { draft }: Course,
  followed: Change,
  states: readonly [State, State],
  rounds: number | null,
): Experiment {
  const { load, design } = draft;
  return versusExperiment({
    ...draft,
    scenarios: draft.scenarios.filter(({ id }) => id === followed.scenario),
    load: { ...load, connections: load.connections && [followed.connections] },
    design: { ...design, rounds, maxRounds: rounds, failOn: null },
  }, states);
}

/** Returns why a report does not have the followed change; null if it has it. */
function whyUnknown(report: Report, followed: Change): string | null {
  const own = report.changes?.changes.filter((change) => isSameResult(change, followed)) ?? [];
  const reasons = own.flatMap(({ reasons }) => reasons);
  const isOfGood = reasons.some((reason) => reason.kind === "not-ok" && reason.where === BASE);
  if (isOfGood) throw new Failure(`Cannot measure good again: ${describeReasons(reasons)}`);
  if (reasons.length > 0) return describeReasons(reasons);
  return roundRatios(report, followed).length > 0 ? null : "no round has both commits";
}

/** Measures two states as `versus` does, and stores the report. Its path is null without figures. */
async function measurePair(
  { settings, io }: Pick<Course, "settings" | "io">,
  experiment: Experiment,
): Promise<{ readonly report: Report; readonly path: string | null }> {
  const outcome = await measure(experiment, settings, io, async (report) => {
    const noise = await noiseFor(report, io);
    return { ...report, changes: compareVariants(report, [[BASE, HEAD]], noise) };
  });
  finish(outcome, true, io);
  return outcome;
}

/** Measures the slow commit against the one before it in fresh rounds, and prints the result. */
async function conclude(course: Course, record: BisectionFile): Promise<number> {
  const { candidates, candidates: { later }, settings, io, path } = course;
  const { followed } = record;
  const { good, bad } = progressOf(bisectionOf(course, record));
  const [before, culprit] = [later[good] ?? candidates.good, later[bad] as Candidate];
  io.err(`Last: ${culprit.label} against ${before.label}`);
  await using scope = new ProcessScope();
  const states = [await before.state(scope), await culprit.state(scope)] as const;
  const { rounds } = course.draft.design;
  const last = await measurePair(course, stepExperiment(course, followed, states, rounds));
  const change =
    last.report.changes?.changes.find((one) =>
      isSameResult(one, followed) && one.metric === followed.metric
    ) ?? null;
  const isProven = change !== null && change.confidenceInterval !== null &&
    isBeyond(change.metric, change.confidenceInterval, change.floor);
  const step: BisectionStep = {
    label: `${culprit.label} (against ${before.label})`,
    side: isProven ? "bad" : "undecided",
    slowdown: change && slowdownOf(change),
    why: whyUnknown(last.report, followed),
    report: last.path,
  };
  const suspects = later.slice(good + 1, bad + 1);
  const outcome: BisectionOutcome = {
    outcome: !isProven ? "unproven" : suspects.length === 1 ? "found" : "range",
    candidates: later.length,
    suspects: suspects.map(({ id, about, inside }) => ({ id, about, inside })),
    change,
    followed,
    steps: [...stepsOf(course, record), step],
  };
  if (settings.json) io.out(toJson(outcome));
  else io.out(bisectionText(outcome, io.screen));
  await Deno.remove(path);
  return outcome.outcome === "found" ? FINE : UNDECIDED;
}

/** Prints the size of the search and the plan of its first step. */
async function planned(course: Course, scope: ProcessScope): Promise<number> {
  const { candidates: { later }, draft, settings, io, good } = course;
  const bad = await (later.at(-1) as Candidate).state(scope);
  const experiment = versusExperiment(draft, [good, bad]);
  const eachS = estimateS(new Planner(experiment).firstRounds());
  const ofSteps = roundsOfStep(course) / experiment.design.rounds;
  const [least, most] = [halvings(later.length), mostLooks(later.length)]
    .map((looks) => duration((looks * ofSteps + 2) * eachS));
  const size = `${
    describeSize(later.length)
  }: about ${least}, ${most} at most without added rounds`;
  if (settings.json) io.err(size);
  else io.say(`${size}\nThe first measurement; a step has its scenario alone:`);
  return await dryRun(experiment, settings, io);
}

function slowdownOf({ metric, ratio }: Change): number {
  return isMoreBetter(metric) ? 1 / (ratio ?? NaN) : ratio ?? NaN;
}

function bisectionOf(
  { candidates: { later } }: Course,
  { followed, looks }: BisectionFile,
): Bisection {
  const indexed = looks.map(({ candidate, slowdowns }) => (
    { slowdowns, candidate: later.findIndex(({ id }) => id === candidate) }
  ));
  return { count: later.length, slowdown: slowdownOf(followed), looks: indexed };
}

/** Returns the path so far; each step as it was decided after it. */
function stepsOf(course: Course, record: BisectionFile): BisectionStep[] {
  return record.looks.map(({ why, report }, i) => {
    const until = bisectionOf(course, { ...record, looks: record.looks.slice(0, i + 1) });
    const candidate = until.looks.at(-1)?.candidate ?? 0;
    const side: Side = sideOf(until, candidate);
    const { label } = course.candidates.later[candidate] as Candidate;
    return { label, side, slowdown: ratioOf(until, candidate)?.estimate ?? null, why, report };
  });
}
