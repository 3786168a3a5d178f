/** Compares the counts of two variants. */
import type { CountAbsence, CountChange, CountChanges, CountRecord } from "../model/counts.ts";
import { mean, median } from "../stats/median.ts";

/** How far the segments of one variant may differ, and the smallest difference of two variants. */
interface Tolerance {
  readonly spread: number;
  readonly least: number;
}

/** For counts per request or connection: background threads add a few calls to a segment. */
const OF_CALLS: Tolerance = { spread: 0.1, least: 0.2 };
/** For counts that depend on timing, such as how often a thread sleeps. */
const OF_WAITS: Tolerance = { spread: 0.1, least: 0.5 };
/** For bytes on the wire, which repeat exactly. */
const OF_BYTES: Tolerance = { spread: 0.1, least: 0.5 };
/** For allocated bytes, as shares: V8's optimisations allocate a little less in some processes. */
const OF_HEAP = { spread: 0.025, least: 0.05 };
/** How far a count may be from a whole number that it is. */
const WHOLE = 0.1;
/** System calls that wait, or that threads in the background make. */
const WAITS =
  /^(e?poll|p?select|futex|nanosleep|clock_nanosleep|restart_syscall|sched_yield|madvise)/;

/** Compares the counts of base and head. A system call that is not listed was not made. */
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
  const wasTraced = (variant: string, scenario: string): boolean =>
    of(variant).some((one) => one.scenario === scenario && one.kind === "system-call");
  const changes: CountChange[] = [];
  const varying = new Set<string>();
  let compared = 0;
  for (const group of groups.values()) {
    const [{ scenario, kind, name, per }] = group as [CountRecord];
    const [a, b] = [base, head].map((variant) => {
      const own = group.find((one) => one.variant === variant)?.processes;
      if (own !== undefined) return undisturbed(own);
      // Only system calls that happened are listed
      return kind === "system-call" && wasTraced(variant, scenario) ? [0] : [];
    });
    if (!a || !b || a.length === 0 || b.length === 0) continue;
    const [was, is] = [mean(a), mean(b)];
    const size = Math.max(Math.abs(was), Math.abs(is));
    const { spread, least } = toleranceOf(group[0] as CountRecord, size);
    if (range(a) > spread || range(b) > spread) {
      if (size >= least) varying.add(name ?? kind);
      continue;
    }
    compared++;
    if (Math.abs(is - was) < least) continue;
    const isExact = [a, b].every((side) =>
      side.every((value) => Math.abs(value - Math.round(mean(side))) <= WHOLE)
    );
    // Adding 0 turns -0 into 0
    const [from, to] = isExact ? [Math.round(was) + 0, Math.round(is) + 0] : [was, is];
    changes.push({ scenario, kind, name, per, base: from, head: to, isExact });
  }
  changes.sort((x, y) => weight(y) - weight(x));
  return { changes, compared, varying: [...varying], absences };
}

function toleranceOf({ kind, name }: CountRecord, size: number): Tolerance {
  if (kind === "allocated-bytes") {
    return { spread: OF_HEAP.spread * size, least: OF_HEAP.least * size };
  }
  if (kind === "bytes-sent") return OF_BYTES;
  return kind === "context-switch" || WAITS.test(name ?? "") ? OF_WAITS : OF_CALLS;
}

/**
 * Returns the counts of all segments but the one that is farthest from their median, which a garbage
 * collection may have disturbed. Medians of processes would hide that some servers change their ways:
 * Go reads each request by one or by two calls, and keeps to it for a whole segment.
 */
function undisturbed(processes: readonly (readonly number[])[]): number[] {
  const all = processes.flat();
  const usual = median(all);
  const far = all.map((value) => Math.abs(value - usual));
  const farthest = far.indexOf(Math.max(...far));
  return all.length === 1 ? all : all.filter((_, i) => i !== farthest);
}

function range(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

function weight({ base, head }: CountChange): number {
  return Math.abs(head - base) / Math.max(Math.abs(base), Math.abs(head));
}
