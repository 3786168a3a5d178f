/** Adds the counts of several runners, in any order and grouping. */
import { UsageError } from "../model/errors.ts";
import type { Slo } from "../model/slo.ts";
import type { RunnerScenario } from "../model/runner_file.ts";
import { addBuckets } from "../stats/buckets.ts";
import { bySegment, coverage } from "./segments.ts";

/** One runner's counts in one scenario; null for values that its file does not contain. */
export interface RunnerPart extends Omit<RunnerScenario, "perS" | "durationS"> {
  readonly perS: number | null;
  readonly durationS: number | null;
}

/** One runner, as its file describes it; null for values that the file does not contain. */
export interface Runner {
  readonly name: string;
  readonly source: "k6" | "hdr";
  readonly test: string | null;
  readonly target: string | null;
  readonly segment: string | null;
  readonly users: number | null;
  readonly slo: Slo | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly parts: readonly RunnerPart[];
}

/** Runners of one load, in the order of their segments. */
export interface Merged {
  readonly source: Runner["source"];
  readonly test: string | null;
  readonly runners: readonly Runner[];
}

/** Returns the merged form of one runner. */
export function alone(runner: Runner): Merged {
  const { source, test } = runner;
  return { source, test, runners: [runner] };
}

/**
 * Merges two groups of runners.
 *
 * @throws {UsageError} with one line if they belong to different loads, ran at different times, or
 *   share a part of the load.
 */
export function merge(a: Merged, b: Merged): Merged {
  const named = (): string => `${nameOf(a)} and ${nameOf(b)}`;
  if (a.source !== b.source || a.test !== b.test) {
    throw new UsageError(`Cannot merge ${named()}: they belong to different loads`);
  }
  const runners = [...a.runners, ...b.runners].sort((one, other) =>
    bySegment(one.segment ?? "", other.segment ?? "") ||
    (one.name < other.name ? -1 : one.name > other.name ? 1 : 0)
  );
  const { twice } = coverage(runners.flatMap(({ segment }) => segment ?? []));
  if (twice.length > 0) {
    throw new UsageError(
      `Cannot merge ${named()}: ${twice.join(", ")} of the load would count twice`,
    );
  }
  if (latest(runners, "startedAt", 1) > latest(runners, "endedAt", -1)) {
    throw new UsageError(`Cannot merge ${named()}: they did not run at the same time`);
  }
  return { source: a.source, test: a.test, runners };
}

/** Returns the counts of all runners in one scenario. */
export function totalAt({ runners }: Merged, id: string): RunnerPart {
  const parts = runners.flatMap(({ parts }) => parts.filter((part) => part.id === id));
  const sum = (of: (part: RunnerPart) => number): number =>
    parts.reduce((total, part) => total + of(part), 0);
  const longest = Math.max(0, ...parts.map(({ durationS }) => durationS ?? 0));
  return {
    id,
    perS: parts[0]?.perS ?? null,
    durationS: longest > 0 ? longest : null,
    right: sum(({ right }) => right),
    refused: sum(({ refused }) => refused),
    wrong: sum(({ wrong }) => wrong),
    failed: sum(({ failed }) => failed),
    dropped: sum(({ dropped }) => dropped),
    buckets: addBuckets(parts.map(({ buckets }) => buckets)),
  };
}

/**
 * Returns the last of the known start or end times of runners, in milliseconds since 1970.
 *
 * @param sign -1 returns the first of these times instead
 */
function latest(runners: readonly Runner[], what: "startedAt" | "endedAt", sign: 1 | -1): number {
  const known = runners.flatMap((runner) => {
    const at = Date.parse(runner[what] ?? "");
    return Number.isNaN(at) ? [] : [sign * at];
  });
  return sign * Math.max(-Infinity, ...known);
}

function nameOf({ runners }: Merged): string {
  const [first, ...others] = runners;
  return `${first?.name ?? "nothing"}${others.length > 0 ? ` (with ${others.length} more)` : ""}`;
}
