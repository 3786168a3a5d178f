/** The command `bisect`, which finds the commit or the release that made a server slower. */
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { isRegression } from "../../analysis/changes.ts";
import { compareVariants, roundRatios } from "../../analysis/derive_changes.ts";
import { isSameWorkload } from "../../analysis/keys.ts";
import {
  coverageOf,
  judge,
  mostMiddles,
  nextStep,
  type Verdict,
} from "../../experiment/bisection.ts";
import { BASE, HEAD, versusExperiment } from "../../experiment/kinds.ts";
import { type Draft, draftOf } from "../../experiment/options.ts";
import { select } from "../../experiment/select.ts";
import { Change } from "../../model/derived.ts";
import { Failure, FINE, messageOf, UNDECIDED, UsageError } from "../../model/errors.ts";
import { readInputFile } from "../../model/input_file.ts";
import type { Report } from "../../model/report.ts";
import * as s from "../../model/schema.ts";
import { count, nonEmpty, oneLine, share, toJson } from "../../model/text.ts";
import { ProcessScope } from "../../process/scope.ts";
import { writeWhole } from "../../results/store.ts";
import { type Candidate, candidatesBetween } from "../../target/candidates.ts";
import { findState, type State } from "../../target/state.ts";
import { FIGURES } from "../../model/figures.ts";
import { range } from "../../view/format.ts";
import { describeReasons } from "../../view/reasons.ts";
import { draw, makeTable, numbers, type Table, words } from "../../view/table.ts";
import { changesVerdict, percent } from "../../view/tables/changes_table.ts";
import { type Options, type RunSettings, settingsOf } from "../command.ts";
import { dryRun } from "../dry_run.ts";
import type { Io } from "../io.ts";
import { measure } from "../measure.ts";
import { NO_NOISE } from "./compare_command.ts";

/** Length of slices and windows of a middle, in seconds: it must only tell two known figures apart. */
const MIDDLE_S = 0.5;
/** Rounds of a middle. At the level of a long bisection, an interval needs ten or eleven. */
const MIDDLE_ROUNDS = 12;

class StepRecord extends s.object("A measured candidate, relative to the good end.", {
  candidate: s.text.is("Its commit or release."),
  verdict: s.oneOf("fast", "slow", "skipped").is("Its side, or that it could not be measured."),
  ratio: s.positive.orNull("Ratio to the good end."),
  low: s.positive.orNull("Lower end of the ratio's interval."),
  high: s.positive.orNull("Upper end of the ratio's interval."),
  reason: s.text.orNull("Why it was skipped; null if it was not."),
  report: s.text.orNull("Path of its report; null without one."),
}) {}

class Bisection extends s.object("An unfinished bisection.", {
  followed: Change.is("The slowdown from good to bad that is followed."),
  steps: s.list(StepRecord).is("The candidates measured so far, in order."),
}) {}
const problemsOf = s.validatorOf(s.document(Bisection, "Bisection", "An unfinished bisection."));

export async function bisect(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { good, bad, failOn = null, json = false, restart = false, ...others } = options;
  if (good === undefined || bad === undefined) {
    throw new UsageError(
      "Cannot bisect: give a revision or release that is fast, and a later one that is slow, such as --good v1.0 --bad main",
    );
  }
  const draft = draftOf(await select(args, { ...options, head: bad }, io.path), others);
  const { servers: [server, another] } = draft;
  if (server === undefined || another !== undefined || server.attached !== null) {
    throw new UsageError(
      "Cannot bisect several servers or a URL: name one server, with --servers or --server",
    );
  }
  const settings = await settingsOf(options, io);
  const { good: first, after } = await candidatesBetween(server, good, bad);
  await using scope = new ProcessScope();
  const stateOf = (candidate: Candidate): Promise<State> =>
    findState(server, candidate.name, {
      scope,
      resolve: io.path,
      stop: io.stop,
      onCheckOut: () => {},
    });
  const last = after.at(-1) as Candidate;
  const most = mostMiddles(after.length);
  const size = `${count(after.length, "candidate")} after ${first.short}: at most ${
    count(most, "measurement")
  } between the first and the last one`;
  const base = await stateOf(first);
  const search = { draft, base, settings, io };
  if (options.dryRun) {
    io.say(`${size}. The first one:`);
    return await dryRun(versusExperiment(draft, [base, await stateOf(last)]), settings, io);
  }
  const key = [server.folder, draft.scenarios.map(({ id }) => id), first.name, last.name];
  const hash = createHash("sha256").update(JSON.stringify([key, draft.load, draft.env, failOn]))
    .digest("hex").slice(0, 12);
  const path = join(resolve(io.folder, io.results), `${hash}.bisect`);
  let record = restart ? null : await readRecord(path);
  if (record !== null) {
    io.err(`Continuing after ${count(record.steps.length, "step")}; --restart begins again`);
  } else {
    io.err(`${size}. Measuring ${last.short} against ${first.short}`);
    const { report } = await compareStates(search, await stateOf(last), null);
    const { changes } = report.changes as NonNullable<Report["changes"]>;
    const slower = changes.filter((change) =>
      change.verdict === "slower" && (failOn === null || isRegression(change, failOn))
    );
    const [followed] = slower.toSorted((a, b) => evidenceOf(b) - evidenceOf(a));
    if (followed === undefined) {
      const beyond = failOn === null ? "" : ` by more than ${share(failOn)}`;
      const verdict = changesVerdict({ changes }, failOn);
      if (json) io.out(toJson({ culprits: [], change: null, steps: [] }));
      else io.say(`${last.short} is not proven slower than ${first.short}${beyond}. ${verdict}`);
      return changes.every(({ verdict }) => verdict === "incomparable") ? UNDECIDED : FINE;
    }
    record = { followed, steps: [] };
    await writeWhole(path, toJson(record));
  }
  const { followed } = record;
  io.err(`Following ${described(followed)}`);
  const steps = [...record.steps];
  const verdictOf = ({ name }: Candidate, i: number): Verdict =>
    i === after.length - 1
      ? "slow"
      : steps.find(({ candidate }) => candidate === name)?.verdict ?? null;
  let step = nextStep(after.map(verdictOf));
  while ("middle" in step) {
    const candidate = after[step.middle] as Candidate;
    io.err(`Step ${steps.length + 1}: ${candidate.short} ${candidate.about}`.trim());
    const measured = await measureMiddle(search, candidate, stateOf, followed, after.length);
    steps.push(measured);
    await writeWhole(path, toJson({ followed, steps }));
    io.err(`${candidate.short} ${outcomeOf(measured, followed)}`);
    step = nextStep(after.map(verdictOf));
  }
  const culprits = step.culprits.map((i) => after[i] as Candidate);
  const [culprit] = culprits;
  const parent = after[(step.culprits[0] ?? 0) - 1] ?? first;
  const slow = culprits.at(-1) as Candidate;
  io.err(`Measuring ${slow.short} against ${parent.short}, which comes before it`);
  const ends = { ...search, base: await stateOf(parent) };
  const { report } = await compareStates(ends, await stateOf(slow), followed);
  await Deno.remove(path).catch(() => {});
  const change = report.changes?.changes.find(({ metric }) => metric === followed.metric) ?? null;
  const isProven = change?.verdict === "slower";
  if (json) {
    const names = culprits.map(({ name }) => name);
    io.out(toJson({ culprits: names, change, isProven, steps }));
  } else {
    const found = culprits.length === 1 && culprit !== undefined;
    const others = "One of these made it slower, and those before the last one were skipped:";
    io.say([
      "",
      ...found ? [] : [others],
      ...culprits.map(({ short, about }) => `${short} ${about}`.trim()),
      isProven
        ? `${described(change)} against ${parent.short}.`
        : `But ${slow.short} is not proven slower than ${parent.short}: the slowdown has several causes, or comes from outside.`,
      ...(found && culprit.parents > 1
        ? [`It is a merge: bisect inside it with --good ${parent.short} --bad ${culprit.short}^2`]
        : []),
      "",
    ].join("\n"));
    io.out(draw(pathTable({ followed, steps }, after), io.screen).join("\n"));
  }
  return isProven ? FINE : UNDECIDED;
}

interface Search {
  readonly draft: Draft;
  readonly base: State;
  readonly settings: RunSettings;
  readonly io: Io;
}

/** Compares a state with the base, at the followed workload or at all. Throws if it cannot be measured. */
async function compareStates(
  { draft, base, settings, io }: Search,
  head: State,
  followed: Change | null,
  design: Partial<Draft["design"]> = {},
  load: Partial<Draft["load"]> = {},
): Promise<{ readonly report: Report; readonly path: string | null }> {
  const ofFollowed = followed === null ? {} : {
    scenarios: draft.scenarios.filter(({ id }) => id === followed.scenario),
    load: { ...draft.load, ...load, connections: [followed.connections] },
  };
  const rounds = draft.design.rounds;
  const fixed = rounds === null ? design : { ...design, rounds, maxRounds: rounds };
  const own = { ...draft, ...ofFollowed, design: { ...draft.design, ...fixed } };
  const experiment = versusExperiment(own, [base, head]);
  const { report, path, stopped } = await measure(experiment, settings, io, (report) => ({
    ...report,
    changes: compareVariants(report, [[BASE, HEAD]], NO_NOISE),
  }));
  if (stopped !== null) throw stopped;
  return { report, path };
}

async function measureMiddle(
  search: Search,
  { name }: Candidate,
  stateOf: (candidate: Candidate) => Promise<State>,
  followed: Change,
  candidates: number,
): Promise<StepRecord> {
  const skipped = (reason: string, report: string | null = null): StepRecord => (
    { candidate: name, verdict: "skipped", ratio: null, low: null, high: null, reason, report }
  );
  const ratios: number[] = [];
  let last = skipped("its change from the good end is too close to the middle");
  try {
    const head = await stateOf({ name } as Candidate);
    for (const rounds of [MIDDLE_ROUNDS, 2 * MIDDLE_ROUNDS]) {
      const load = { durationS: Math.min(MIDDLE_S, search.draft.load.durationS) };
      const design = { rounds, maxRounds: rounds };
      const { report, path } = await compareStates(search, head, followed, design, load);
      const change = report.changes?.changes.find((one) => isSameWorkload(one, followed));
      if (change === undefined || change.verdict === "incomparable") {
        return skipped(oneLine(describeReasons(change?.reasons ?? [])), path);
      }
      ratios.push(...roundRatios(report, { ...followed, ...change, metric: followed.metric }));
      const { verdict, ...figures } = judge(ratios, followed.ratio ?? NaN, coverageOf(candidates));
      last = { ...last, ...figures, report: path };
      if (verdict !== null) return { ...last, verdict, reason: null };
    }
    return last;
  } catch (error) {
    search.io.stop.throwIfAborted();
    const isOfServer = error instanceof UsageError || error instanceof Failure;
    // The good end was measured before, so a failure of it is one of the machine
    if (!isOfServer || messageOf(error).includes(`\n${BASE}: `)) throw error;
    return skipped(oneLine(messageOf(error)));
  }
}

async function readRecord(path: string): Promise<Bisection | null> {
  const text = await readInputFile(path, "bisection").catch(() => null);
  if (text === null) return null;
  try {
    const record = JSON.parse(text);
    if (problemsOf(record).length === 0) return record;
  } catch {
    // A damaged record is as good as none
  }
  return null;
}

/** Returns how clearly a change is proven: its size relative to its interval. */
function evidenceOf({ ratio, confidenceInterval }: Change): number {
  if (ratio === null || confidenceInterval === null) return 0;
  return Math.abs(Math.log(ratio)) / Math.log(confidenceInterval.high / confidenceInterval.low);
}

/** Describes a change: `json +5.2 % CPU/req (+4.6 % to +5.8 %)`. */
function described({ scenario, metric, ratio, confidenceInterval }: Change): string {
  const ends = confidenceInterval && ` (${range(confidenceInterval, percent)})`;
  return `${scenario} ${percent(ratio ?? NaN)} ${FIGURES[metric].column.heading}${ends ?? ""}`;
}

function outcomeOf({ verdict, ratio, reason }: StepRecord, { metric }: Change): string {
  const change = ratio === null ? "" : `: ${percent(ratio)} ${FIGURES[metric].column.heading}`;
  return verdict === "skipped" ? `is skipped: ${reason}` : `is ${verdict}${change}`;
}

function pathTable({ followed, steps }: Bisection, after: readonly Candidate[]): Table {
  const { ratio, confidenceInterval } = followed;
  const { low = null, high = null } = confidenceInterval ?? {};
  const last = after.at(-1)?.name ?? "";
  const end = {
    candidate: last,
    verdict: "slow",
    ratio,
    low,
    high,
    reason: null,
    report: null,
  } as const;
  const rows = [end, ...steps].map((step, i) => ({ ...step, i }));
  return makeTable(rows, [
    numbers("Step", ({ i }) => String(i)),
    words("Candidate", (row) => after.find(({ name }) => name === row.candidate)?.short ?? ""),
    numbers("Change", ({ ratio }) => ratio === null ? "–" : percent(ratio)),
    numbers(
      "Interval",
      ({ low, high }) => low === null || high === null ? "–" : range({ low, high }, percent),
    ),
    words("Verdict", ({ verdict, reason }) => nonEmpty(verdict, reason).join(": ")),
    words("Report", ({ report }) => report ?? "", 1),
  ]);
}
