/** Compares the counts of two variants. */
import type { CountAbsence, CountChange, CountChanges, CountRecord } from "../model/counts.ts";
import { median, sum } from "../stats/median.ts";

/** How far the processes of one variant may differ, and the smallest difference of two variants. */
interface Tolerance {
  readonly spread: number;
  readonly least: number;
}

/** For counts per request: background threads add a few calls to a hundred requests. */
const OF_CALLS: Tolerance = { spread: 0.1, least: 0.2 };
/** For bytes on the wire, which repeat exactly. */
const OF_BYTES: Tolerance = { spread: 0.1, least: 0.5 };
/** For allocated bytes, as shares: V8's optimisations allocate a little less in some processes. */
const OF_HEAP = { spread: 0.025, least: 0.05 };
/** How far a count may be from a whole number that it is. */
const WHOLE = 0.1;

/** Compares the counts of base and head. A count that is not there is 0. */
export function compareCounts(
  records: readonly CountRecord[],
  absences: readonly CountAbsence[],
  [base, head]: readonly [string, string],
): CountChanges {
  const of = (variant: string): CountRecord[] => records.filter((one) => one.variant === variant);
  const groups = Map.groupBy(
    [...of(base), ...of(head)],
    ({ scenario, kind, name, per }) => JSON.stringify([scenario, kind, name, per]),
  );
  const changes: CountChange[] = [];
  const varying = new Set<string>();
  let compared = 0;
  for (const group of groups.values()) {
    const [{ scenario, kind, name, per, processes }] = group as [CountRecord];
    const sides = [base, head].map((variant) =>
      group.find((one) => one.variant === variant)?.processes.map(median) ??
        // Only system calls are listed if they happened
        (kind === "system-call" ? processes.map(() => 0) : null)
    );
    const [a, b] = sides;
    if (!a || !b || a.length === 0 || b.length === 0) continue;
    const [was, is] = [mean(a), mean(b)];
    const size = Math.max(Math.abs(was), Math.abs(is));
    const { spread, least } = kind === "allocated-bytes"
      ? { spread: OF_HEAP.spread * size, least: OF_HEAP.least * size }
      : kind.startsWith("bytes")
      ? OF_BYTES
      : OF_CALLS;
    if (range(a) > spread || range(b) > spread) {
      if (size >= least) varying.add(name ?? kind);
      continue;
    }
    compared++;
    if (Math.abs(is - was) < least) continue;
    const isExact = [...a, ...b].every((value) => Math.abs(value - Math.round(value)) <= WHOLE) &&
      new Set(a.map(Math.round)).size === 1 && new Set(b.map(Math.round)).size === 1;
    const [from, to] = isExact ? [Math.round(was), Math.round(is)] : [was, is];
    changes.push({ scenario, kind, name, per, base: from, head: to, isExact });
  }
  changes.sort((x, y) => weight(y) - weight(x));
  return { changes, compared, varying: [...varying], absences };
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function range(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

function weight({ base, head }: CountChange): number {
  return Math.abs(head - base) / Math.max(Math.abs(base), Math.abs(head));
}
