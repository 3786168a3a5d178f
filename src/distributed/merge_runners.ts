/** Adds the counts of several runners, in any order and grouping. */
import { UsageError } from "../model/errors.ts";
import type { RunnerFile, RunnerScenario } from "../model/runner_file.ts";
import { addBuckets } from "../stats/buckets.ts";
import { bySegment, coverage } from "./segments.ts";

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
  const sum = (of: (part: RunnerScenario) => number): number =>
    parts.reduce((total, part) => total + of(part), 0);
  const [first] = parts as [RunnerScenario, ...RunnerScenario[]];
  return {
    id,
    perS: first.perS,
    durationS: Math.max(...parts.map(({ durationS }) => durationS)),
    right: sum(({ right }) => right),
    refused: sum(({ refused }) => refused),
    wrong: sum(({ wrong }) => wrong),
    failed: sum(({ failed }) => failed),
    dropped: sum(({ dropped }) => dropped),
    buckets: addBuckets(parts.map(({ buckets }) => buckets)),
  };
}

function nameOf([first, ...others]: Runners): string {
  return `${first.name}${others.length > 0 ? ` (with ${others.length} more)` : ""}`;
}
