/** Reads the files of runners. */
import { UsageError } from "../model/errors.ts";
import { RUNNER_FORMAT, RUNNER_VERSION, RunnerFile } from "../model/runner_file.ts";
import { document } from "../model/json_schema.ts";
import { oneLine } from "../model/text.ts";
import { describeProblems, validatorOf } from "../model/validator.ts";
import { BUCKETS, LAST_BUCKET, totalOf } from "../stats/buckets.ts";
import type { Runner } from "./merge_runners.ts";
import { endsOf } from "./segments.ts";

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
  if (lines.length > 0) {
    return lines.map((line) => runnerOf(parsed(line, refuse), name, lines.length > 1, refuse));
  }
  if (/^\s*\{/.test(text)) return [runnerOf(parsed(text, refuse), name, false, refuse)];
  throw refuse("it does not contain the output of a runner");
}

type Refuse = (what: string) => UsageError;

function parsed(json: string, refuse: Refuse): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw refuse("it is damaged or incomplete: it is not valid JSON");
  }
}

function runnerOf(value: unknown, name: string, isOneOfSeveral: boolean, refuse: Refuse): Runner {
  const { format = null, version = null, buckets = null } = Object(value);
  if (format !== RUNNER_FORMAT) {
    throw refuse("it is JSON, but not the output of a runner of Stampede");
  }
  if (version !== RUNNER_VERSION || buckets !== BUCKETS) {
    throw refuse("it was made by another version of Stampede: import it with that version");
  }
  const problems = problemsOf(value);
  if (problems.length > 0) throw refuse(`it is damaged: ${describeProblems(problems)}`);
  const runner = value as RunnerFile;
  const { segment, slo, startedAt, endedAt, scenarios } = runner;
  if ([startedAt, endedAt].some((moment) => Number.isNaN(Date.parse(moment)))) {
    throw refuse("it is damaged: its start or end is not a valid time");
  }
  if (endsOf(segment) === null) {
    throw refuse(`it is damaged: ${segment} is not a segment of a load`);
  }
  if (slo.latencies.some(({ percentile }) => !(percentile > 0 && percentile < 1))) {
    throw refuse("it is damaged: its SLO has a percentile outside 0 to 100 %");
  }
  const ids = scenarios.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw refuse("it is damaged: it contains a scenario twice");
  for (const { id, buckets, ...one } of scenarios) {
    const sent = one.right + one.refused + one.wrong + one.failed;
    if (totalOf(buckets) !== sent) {
      throw refuse(
        `it is damaged: ${oneLine(id)} has ${totalOf(buckets)} times of ${sent} requests`,
      );
    }
    if (Object.keys(buckets).some((index) => Number(index) > LAST_BUCKET)) {
      throw refuse("it is damaged: it contains an unknown bucket");
    }
  }
  return { ...runner, name: isOneOfSeveral ? `${name} ${segment}` : name };
}
