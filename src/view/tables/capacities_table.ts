import { isSameResult } from "../../analysis/keys.ts";
import type { Capacity, Scaling } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { count, share, UNKNOWN } from "../../model/text.ts";
import { markedRate, multiple, rate, spread } from "../format.ts";
import { describeReason, describeReasons, describeSlo } from "../reasons.ts";
import { column, intervalColumn, type Table } from "../table.ts";

/** Returns the caption of the capacities, with the SLO. */
export function capacitiesCaption({ experiment: { search } }: Report): string {
  const slo = search === null ? "the SLO" : describeSlo(search.slo);
  return `The highest rate that meets ${slo}`;
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
  return {
    columns: [
      ...(several ? [column("Server", false)] : []),
      column("Scenario", false),
      column("Met/s", true),
      column("Missed/s", true),
      column("Bottleneck", false),
      column("Tried", true, 1),
    ],
    rows: sorted.map((capacity) => {
      const names = [...(several ? [capacity.variant] : []), capacity.scenario];
      const { heldPerS, failedPerS, trials, reason } = capacity;
      if (heldPerS === null && reason !== null) {
        return { cells: names, rest: describeReason(reason), server: capacity.variant };
      }
      const cells = [
        ...names,
        `${isBound(capacity) ? "≥ " : ""}${shownRate(heldPerS)}`,
        isBound(capacity) ? UNKNOWN : shownRate(failedPerS),
        bottleneckOf(capacity) ?? UNKNOWN,
        String(trials.length),
      ];
      const values = [...names, heldPerS, failedPerS, bottleneckOf(capacity), trials.length];
      return { cells, values, server: capacity.variant };
    }),
  };
}

/** Returns the legend, and the evidence for the bottleneck at each capacity. */
export function capacitiesNotes(report: Report): string[] {
  const found = report.capacities.filter(({ heldPerS }) => heldPerS !== null);
  if (found.length === 0) return [];
  return [
    "Met/s: the highest rate that met the SLO, the load generator's lateness included. The capacity is between Met/s and Missed/s.",
    ...found.flatMap((capacity) => notesOf(capacity, report)),
  ];
}

function notesOf(capacity: Capacity, report: Report): string[] {
  const { bottleneck, isOfGenerator, heldPerS } = capacity;
  const name = report.experiment.variants.length > 1
    ? `${capacity.scenario} of ${capacity.variant}`
    : capacity.scenario;
  if (isOfGenerator) {
    return [
      `${name}: beyond ${
        rate(heldPerS ?? 0)
      }/s the load generator was too late, so the server may reach more (≥): send from another machine, or use more cores.`,
    ];
  }
  return bottleneck === null ? [] : [`${name}: ${describeReasons(bottleneck.reasons)}.`];
}

/**
 * Returns whether the capacity is a lower bound: no measured rate made the server itself miss the SLO.
 */
function isBound({ isOfGenerator, failedPerS }: Capacity): boolean {
  return isOfGenerator || failedPerS === null;
}

function bottleneckOf({ bottleneck, isOfGenerator }: Capacity): string | null {
  return isOfGenerator ? "generator" : bottleneck?.kind ?? null;
}

function shownRate(perS: number | null): string {
  return perS === null ? UNKNOWN : rate(perS);
}

/** Returns a row for each server, scenario and number of workers. */
export function scalingTable(report: Report): Table {
  const { experiment: { scenarios, variants }, results } = report;
  const servers = [...new Set(variants.map(({ server }) => server))];
  const place = ({ scenario, server }: Scaling): number =>
    scenarios.indexOf(scenario) * servers.length + servers.indexOf(server);
  return {
    columns: [
      column("Server", false),
      column("Scenario", false),
      column("Workers", true),
      column("Req/Sec", true),
      intervalColumn(2),
      column("Speed-up", true),
      intervalColumn(1),
      column("Efficiency", true),
      column("CPU/req", true),
      intervalColumn(1),
      column("Bottleneck", false, 3),
    ],
    rows: report.scaling.toSorted((a, b) => place(a) - place(b)).map((row) => {
      const result = results.find((one) => isSameResult(one, row));
      const { server, scenario, workers, rate, cpu, efficiency } = row;
      const perS = result?.requestsPerS ?? null;
      return {
        cells: [
          server,
          scenario,
          String(workers),
          result && perS ? markedRate(perS.median, result) : UNKNOWN,
          spread(perS),
          ...times(rate),
          efficiency === null ? UNKNOWN : share(efficiency),
          ...times(cpu),
          result?.bottleneck?.kind ?? UNKNOWN,
        ],
        server: row.variant,
      };
    }),
  };
}

/** Returns the legend, and a warning if the servers had to share cores. */
export function scalingNotes({ scaling, host }: Report): string[] {
  const shared = scaling.filter(({ isShared, workers, baseWorkers }) =>
    isShared && workers > baseWorkers
  );
  const fewest = Math.min(...shared.map(({ workers }) => workers));
  return [
    "Speed-up and CPU/req: ratios to the fewest workers, in the same rounds; efficiency: speed-up divided by the ratio of workers.",
    ...(shared.length === 0 ? [] : [
      `${count(fewest, "worker")}, the load generator and other components share ${
        count(host.cores, "core")
      }: more workers can hardly raise the rate here, so efficiency is the machine's. CPU/req is still valid.`,
    ]),
  ];
}

/** Returns a ratio and its interval as texts for two cells. */
function times(ratio: Scaling["rate"]): [string, string] {
  if (ratio === null) return [UNKNOWN, UNKNOWN];
  const { confidenceInterval, ratio: median } = ratio;
  return [`${multiple(median)} x`, spread({ median, confidenceInterval })];
}
