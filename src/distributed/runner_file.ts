/** Reads the files of runners, and the logs of runners that print them. */
import { NOT_BEGUN, RUNNER_FORMAT, RUNNER_VERSION, RunnerFile } from "../model/distributed.ts";
import { UsageError } from "../model/errors.ts";
import { describeProblems, document, validatorOf } from "../model/schema.ts";
import { hideUrls, nonEmpty, oneLine, printable } from "../model/text.ts";
import { BUCKETS, LAST_BUCKET, totalOf } from "../stats/histogram.ts";
import { isSegment } from "./segments.ts";

export interface Runner extends RunnerFile {
  /** Name of its file, with its segment if the file has several runners. */
  readonly name: string;
}

export const COUNTS = ["right", "refused", "wrong", "failed", "dropped"] as const;
export type Counts = Readonly<Record<typeof COUNTS[number], number>>;

/** Returns the number of requests that were sent, with any outcome. */
export function sentOf({ right, refused, wrong, failed }: Counts): number {
  return right + refused + wrong + failed;
}

const problemsOf = validatorOf(document(RunnerFile, "RunnerFile", "What a runner writes."));

/** Beginning of the line that a runner writes. In a log, other text may precede it. */
const START = `{"format":"${RUNNER_FORMAT}"`;

/** Reads a runner's file, or the log of several; throws UsageError that names the file. */
export function runnersIn(text: string, name: string): Runner[] {
  const refuse = (what: string): UsageError => new UsageError(`Cannot merge ${name}: ${what}`);
  if (text.trim() === "") throw refuse("it is empty");
  const lines = text.split("\n").flatMap((line) => {
    const at = line.indexOf(START);
    return at < 0 ? [] : [line.slice(at)];
  });
  const outputs = lines.length === 0 && /^\s*\{/.test(text) ? [text] : lines;
  if (outputs.length === 0) {
    const problem = "it does not contain the output of a runner";
    throw refuse(nonEmpty(problem, describeErrors(errorsIn(text))).join(". "));
  }
  return outputs.map((json) => {
    const runner = parsed(json, refuse);
    return { ...runner, name: outputs.length > 1 ? `${name} ${runner.segment}` : name };
  });
}

/** Matches an error in k6's log, up to its first line break. */
const ERROR = /level=error msg=(?:"((?:[^"\\]|\\[^n])*)|(\S+))/;
/** Matches errors of runners that write an output, and k6's names of errors. */
const THRESHOLDS = /^thresholds on metrics /;
const KIND = /^(Go)?Error: /;
/** Limits for messages: distinct errors, and characters of each. */
const [MOST_ERRORS, MOST_CHARACTERS] = [5, 200];

/** Returns the distinct errors in the log of runners, at most five, without those about thresholds. */
export function errorsIn(log: string): string[] {
  const errors = log.split("\n").flatMap((line) => {
    if (line.includes(NOT_BEGUN)) return [NOT_BEGUN];
    const [, quoted, word = ""] = ERROR.exec(line) ?? [];
    const text = (quoted?.replaceAll(/\\(["\\])/g, "$1") ?? word).replace(KIND, "");
    if (text === "" || THRESHOLDS.test(text)) return [];
    return [hideUrls(printable(text)).slice(0, MOST_CHARACTERS)];
  });
  return [...new Set(errors)].slice(0, MOST_ERRORS);
}

/** Returns a sentence about the errors of runners; empty if there are none. */
export function describeErrors(errors: readonly string[]): string {
  return errors.length === 0 ? "" : `The runners reported: ${errors.join("; ")}`;
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
  if (!isSegment(segment)) {
    throw damaged(`${segment} is not a segment of a load`);
  }
  if (slo.latencies.some(({ percentile }) => !(percentile > 0 && percentile < 1))) {
    throw damaged("its SLO has a percentile outside 0 to 100 %");
  }
  const ids = new Set(scenarios.map(({ id }) => id));
  if (ids.size < scenarios.length) throw damaged("it contains a scenario twice");
  for (const { id, buckets, ...counts } of scenarios) {
    const [sent, times] = [sentOf(counts), totalOf(buckets)];
    if (times !== sent) throw damaged(`${oneLine(id)} has ${times} times of ${sent} requests`);
    if (Object.keys(buckets).some((index) => Number(index) > LAST_BUCKET)) {
      throw damaged("it contains an unknown bucket");
    }
  }
  return runner;
}
