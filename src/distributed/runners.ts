/** Adds the counts of several runners, in any order and grouping. Reads the files of runners. */

import {
  RUNNER_FORMAT,
  RUNNER_VERSION,
  RunnerFile,
  type RunnerScenario,
} from "../model/distributed.ts";
import { UsageError } from "../model/errors.ts";
import { describeProblems, document, validatorOf } from "../model/schema.ts";
import { oneLine } from "../model/text.ts";
import { addBuckets, BUCKETS, LAST_BUCKET, totalOf } from "../stats/histogram.ts";
import { bySegment, coverage, endsOf } from "./exported.ts";

/** One runner, as its file describes it. */
export interface Runner extends RunnerFile {
  /** Name of its file, with its segment if the file has several runners. */
  readonly name: string;
}

/** Runners of one load, in the order of their segments. */
export type Runners = readonly [Runner, ...Runner[]];

/**
 * Merges two groups of runners.
 *
 * @throws {UsageError} with one line if they belong to different loads, ran at different times, or
 *   share a part of the load.
 */
export function merge(a: Runners, b: Runners): Runners {
  const refuse = (why: string): UsageError =>
    new UsageError(`Cannot merge ${nameOf(a)} and ${nameOf(b)}: ${why}`);
  if (a[0].test !== b[0].test) throw refuse("they belong to different loads");
  const runners = [...a, ...b].sort((one, other) =>
    bySegment(one.segment, other.segment) ||
    (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)
  );
  const { twice } = coverage(runners.map(({ segment }) => segment));
  if (twice.length > 0) throw refuse(`${twice.join(", ")} of the load would count twice`);
  const latestStart = Math.max(...runners.map(({ startedAt }) => Date.parse(startedAt)));
  const earliestEnd = Math.min(...runners.map(({ endedAt }) => Date.parse(endedAt)));
  if (latestStart > earliestEnd) throw refuse("they did not run at the same time");
  return runners as [Runner, ...Runner[]];
}

/** Returns the counts of all runners in one scenario, which at least one of them has. */
export function totalAt(runners: Runners, id: string): RunnerScenario {
  const parts = runners.flatMap(({ scenarios }) => scenarios.filter((part) => part.id === id));
  const sum = (name: "right" | "refused" | "wrong" | "failed" | "dropped"): number =>
    parts.reduce((total, part) => total + part[name], 0);
  const [first] = parts as [RunnerScenario, ...RunnerScenario[]];
  return {
    id,
    perS: first.perS,
    durationS: Math.max(...parts.map(({ durationS }) => durationS)),
    right: sum("right"),
    refused: sum("refused"),
    wrong: sum("wrong"),
    failed: sum("failed"),
    dropped: sum("dropped"),
    buckets: addBuckets(parts.map(({ buckets }) => buckets)),
  };
}

function nameOf([first, ...others]: Runners): string {
  return `${first.name}${others.length > 0 ? ` (with ${others.length} more)` : ""}`;
}

const problemsOf = validatorOf(document(RunnerFile, "RunnerFile", "What a runner writes."), {
  strict: true,
});

/** Beginning of the line that a runner writes. In a log, other text may precede it. */
const START = `{"format":"${RUNNER_FORMAT}"`;

/**
 * Reads the results of runners: the file of one runner, or the log of several.
 *
 * @param name the name of the file
 * @throws {UsageError} with one line that names the file, if it is incomplete or has another content.
 */
export function runnersIn(text: string, name: string): Runner[] {
  const refuse = (what: string): UsageError => new UsageError(`Cannot merge ${name}: ${what}`);
  if (text.trim() === "") throw refuse("it is empty");
  const lines = text.split("\n").flatMap((line) => {
    const at = line.indexOf(START);
    return at < 0 ? [] : [line.slice(at)];
  });
  const outputs = lines.length === 0 && /^\s*\{/.test(text) ? [text] : lines;
  if (outputs.length === 0) throw refuse("it does not contain the output of a runner");
  return outputs.map((json) => {
    const runner = parsed(json, refuse);
    return { ...runner, name: outputs.length > 1 ? `${name} ${runner.segment}` : name };
  });
}

function parsed(json: string, refuse: (what: string) => UsageError): RunnerFile {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw refuse("it is damaged or incomplete: it is not valid JSON");
  }
  const { format = null, version = null, buckets = null } = Object(value);
  if (format !== RUNNER_FORMAT) {
    throw refuse("it is JSON, but not the output of a runner of Stampede");
  }
  if (version !== RUNNER_VERSION || buckets !== BUCKETS) {
    throw refuse("it was made by another version of Stampede: import it with that version");
  }
  const damaged = (what: string): UsageError => refuse(`it is damaged: ${what}`);
  const problems = problemsOf(value);
  if (problems.length > 0) throw damaged(describeProblems(problems));
  const runner = value as RunnerFile;
  const { segment, slo, startedAt, endedAt, scenarios } = runner;
  if ([startedAt, endedAt].some((moment) => Number.isNaN(Date.parse(moment)))) {
    throw damaged("its start or end is not a valid time");
  }
  if (endsOf(segment) === null) throw damaged(`${segment} is not a segment of a load`);
  if (slo.latencies.some(({ percentile }) => !(percentile > 0 && percentile < 1))) {
    throw damaged("its SLO has a percentile outside 0 to 100 %");
  }
  const ids = new Set(scenarios.map(({ id }) => id));
  if (ids.size < scenarios.length) throw damaged("it contains a scenario twice");
  for (const { id, buckets, ...one } of scenarios) {
    const sent = one.right + one.refused + one.wrong + one.failed;
    const times = totalOf(buckets);
    if (times !== sent) throw damaged(`${oneLine(id)} has ${times} times of ${sent} requests`);
    if (Object.keys(buckets).some((index) => Number(index) > LAST_BUCKET)) {
      throw damaged("it contains an unknown bucket");
    }
  }
  return runner;
}
