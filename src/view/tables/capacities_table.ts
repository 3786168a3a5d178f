/** Tables of the experiments `capacity` and `scaling`. */
import { isSameResult } from "../../analysis/keys.ts";
import type { Capacity, Result, Scaling } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { count, share, UNKNOWN } from "../../model/text.ts";
import { markedRate, multiple, nonEmpty, rate, spread } from "../format.ts";
import { describeReason, describeReasons, describeSlo } from "../reasons.ts";
import { intervals, makeTable, numbers, type Table, words } from "../table.ts";

/** Returns the caption of the capacities, with the SLO. */
export function capacitiesCaption({ experiment: { search } }: Report): string {
  return `The highest rate that meets ${search === null ? "the SLO" : describeSlo(search.slo)}`;
}

/**
 * Returns a row for each server and scenario: the highest rate that met the SLO, and the lowest one
 * that missed it.
 */
export function capacitiesTable(report: Report): Table {
  const { experiment: { scenarios, variants } } = report;
  const several = variants.length > 1;
  const place = ({ scenario, variant }: Capacity): number =>
    scenarios.indexOf(scenario) * variants.length + variants.findIndex(({ id }) => id === variant);
  const sorted = report.capacities.toSorted((a, b) => place(a) - place(b));
  return makeTable(sorted, [
    several && words("Server", ({ variant }) => variant),
    words("Scenario", ({ scenario }) => scenario),
    numbers("Met/s", (one) => `${isBound(one) ? "≥ " : ""}${rate(one.heldPerS)}`),
    numbers("Missed/s", (one) => isBound(one) ? UNKNOWN : rate(one.failedPerS)),
    words("Bottleneck", (one) => bottleneckOf(one) ?? UNKNOWN),
    numbers("Tried", ({ trials }) => String(trials.length), 1),
  ], (capacity) => {
    const { scenario, variant: server, heldPerS, failedPerS, trials, reason } = capacity;
    const names = [...(several ? [server] : []), scenario];
    return heldPerS === null && reason !== null
      ? { cells: names, rest: describeReason(reason), server }
      : { values: [...names, heldPerS, failedPerS, bottleneckOf(capacity), trials.length], server };
  });
}

/** Returns the legend, and the evidence for the bottleneck at each capacity. */
export function capacitiesNotes({ capacities, experiment: { variants } }: Report): string[] {
  const found = capacities.filter(({ heldPerS }) => heldPerS !== null);
  if (found.length === 0) return [];
  return nonEmpty(
    "Met/s: the highest rate that met the SLO, the load generator's lateness included. The capacity is between Met/s and Missed/s.",
    ...found.map(({ scenario, variant, bottleneck, isOfGenerator, heldPerS }) => {
      const name = variants.length > 1 ? `${scenario} of ${variant}` : scenario;
      return isOfGenerator
        ? `${name}: beyond ${
          rate(heldPerS ?? 0)
        }/s the load generator was too late, so the server may reach more (≥): send from another machine, or use more cores.`
        : bottleneck && `${name}: ${describeReasons(bottleneck.reasons)}.`;
    }),
  );
}

/** Returns whether a capacity is a lower bound: no rate made the server itself miss the SLO. */
function isBound({ isOfGenerator, failedPerS }: Capacity): boolean {
  return isOfGenerator || failedPerS === null;
}

function bottleneckOf({ bottleneck, isOfGenerator }: Capacity): string | null {
  return isOfGenerator ? "generator" : bottleneck?.kind ?? null;
}

/** Returns a row for each server, scenario and number of workers. */
export function scalingTable(
  { experiment: { scenarios, variants }, results, scaling }: Report,
): Table {
  const servers = [...new Set(variants.map(({ server }) => server))];
  const place = ({ scenario, server }: Scaling): number =>
    scenarios.indexOf(scenario) * servers.length + servers.indexOf(server);
  const sorted = scaling.toSorted((a, b) => place(a) - place(b));
  const resultOf = (row: Scaling): Result | undefined =>
    results.find((one) => isSameResult(one, row));
  return makeTable(sorted, [
    words("Server", ({ server }) => server),
    words("Scenario", ({ scenario }) => scenario),
    numbers("Workers", ({ workers }) => String(workers)),
    numbers("Req/Sec", (row) => {
      const result = resultOf(row);
      return result?.requestsPerS ? markedRate(result.requestsPerS.median, result) : UNKNOWN;
    }),
    intervals((row) => spread(resultOf(row)?.requestsPerS ?? null), 2),
    numbers("Speed-up", ({ rate }) => times(rate)),
    intervals(({ rate }) => spread(rate && { ...rate, median: rate.ratio }), 1),
    numbers("Efficiency", ({ efficiency }) => share(efficiency ?? NaN)),
    numbers("CPU/req", ({ cpu }) => times(cpu)),
    intervals(({ cpu }) => spread(cpu && { ...cpu, median: cpu.ratio }), 1),
    words("Bottleneck", (row) => resultOf(row)?.bottleneck?.kind ?? UNKNOWN, 3),
  ], ({ variant: server }) => ({ server }));
}

function times(ratio: Scaling["rate"]): string {
  return ratio === null ? UNKNOWN : `${multiple(ratio.ratio)} x`;
}

/** Returns the legend, and a warning if the servers had to share cores. */
export function scalingNotes({ scaling, host }: Report): string[] {
  const shared = scaling.filter(({ isShared, workers, baseWorkers }) =>
    isShared && workers > baseWorkers
  );
  const fewest = Math.min(...shared.map(({ workers }) => workers));
  return nonEmpty(
    "Speed-up and CPU/req: ratios to the fewest workers, in the same rounds; efficiency: speed-up divided by the ratio of workers.",
    shared.length > 0 &&
      `${count(fewest, "worker")}, the load generator and other components share ${
        count(host.cores, "core")
      }: more workers can hardly raise the rate here, so efficiency is the machine's. CPU/req is still valid.`,
  );
}
