import type { Measurement, OpenRecord, Warmup } from "../model/raw.ts";
import { merge as mergeLatencies } from "../stats/histogram.ts";

/**
 * Returns the measurements of several shards in the same window as one.
 *
 * Counts and histograms are added; percentiles are never averaged. The windows differ by a few
 * milliseconds: the duration is their mean.
 *
 * @throws {RangeError} if `parts` is empty.
 */
export function mergeMeasurements(parts: readonly Measurement[]): Measurement {
  const [first] = parts;
  if (first === undefined) throw new RangeError("Cannot merge no measurements");
  if (parts.length === 1) return first;
  const sum = (value: (part: Measurement) => number): number =>
    parts.reduce((total, part) => total + value(part), 0);
  const known = (values: readonly (number | null)[]): number | null =>
    values.every((value) => value !== null)
      ? values.reduce((total, value) => total + value, 0)
      : null;
  const slices = Math.min(...parts.map(({ slicesPerS }) => slicesPerS.length));
  return {
    durationS: sum(({ durationS }) => durationS) / parts.length,
    statuses: addCounts(parts.map(({ statuses }) => statuses)),
    allResponses: sum(({ allResponses }) => allResponses),
    transportErrors: sum(({ transportErrors }) => transportErrors),
    timeouts: known(parts.map(({ timeouts }) => timeouts)),
    checkedBodies: sum(({ checkedBodies }) => checkedBodies),
    wrongResponses: sum(({ wrongResponses }) => wrongResponses),
    wrongResponse: parts.find(({ wrongResponse }) => wrongResponse !== null)?.wrongResponse ?? null,
    bytes: known(parts.map(({ bytes }) => bytes)),
    connectionsOpened: known(parts.map(({ connectionsOpened }) => connectionsOpened)),
    slicesPerS: Array.from({ length: slices }, (_, i) => sum((part) => part.slicesPerS[i] ?? 0)),
    latency: mergeLatencies(parts.map(({ latency }) => latency)),
    kinds: first.kinds.map(({ scenario }, i) => ({
      scenario,
      responses: sum(({ kinds }) => kinds[i]?.responses ?? 0),
      latency: mergeLatencies(parts.map(({ kinds }) => kinds[i]?.latency ?? null)),
    })),
    open: mergeOpen(parts.map(({ open }) => open).filter((open) => open !== null)),
    warmup: mergeWarmups(parts.map(({ warmup }) => warmup)),
  };
}

function mergeOpen(parts: readonly OpenRecord[]): OpenRecord | null {
  if (parts.length === 0) return null;
  const sum = (value: (part: OpenRecord) => number): number =>
    parts.reduce((total, part) => total + value(part), 0);
  return {
    offered: sum(({ offered }) => offered),
    sent: sum(({ sent }) => sent),
    failed: sum(({ failed }) => failed),
    unanswered: sum(({ unanswered }) => unanswered),
    shed: sum(({ shed }) => shed),
    recoveryS: Math.max(...parts.map(({ recoveryS }) => recoveryS)),
    responseTime: mergeLatencies(parts.map(({ responseTime }) => responseTime)),
    lateness: mergeLatencies(parts.map(({ lateness }) => lateness)),
    wait: mergeLatencies(parts.map(({ wait }) => wait)),
    serviceTime: mergeLatencies(parts.map(({ serviceTime }) => serviceTime)),
  };
}

/** Returns a warm-up that is steady if all are, with the longest time and the sum of the requests. */
function mergeWarmups(parts: readonly (Warmup | null)[]): Warmup | null {
  const known = parts.filter((warmup) => warmup !== null);
  if (known.length === 0) return null;
  const states = known.map(({ isSteady }) => isSteady);
  return {
    tookS: Math.max(...known.map(({ tookS }) => tookS)),
    requests: known.reduce((sum, { requests }) => sum + requests, 0),
    isSteady: states.includes(false) ? false : states.includes(null) ? null : true,
  };
}

function addCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [key, count] of all.flatMap(Object.entries)) total[key] = (total[key] ?? 0) + count;
  return total;
}
