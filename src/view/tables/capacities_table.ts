import type { Capacity } from "../../model/capacity.ts";
import type { Report } from "../../model/report.ts";
import { describeSlo } from "../slo_text.ts";
import { UNKNOWN } from "../../model/format.ts";
import { rate } from "../format.ts";
import { describeReason, describeReasons } from "../reasons.ts";
import { column, type Table } from "../table.ts";

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
