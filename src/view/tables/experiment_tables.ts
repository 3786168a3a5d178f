/** Tables of merged runners, and of experiments other than `run`. */
import { thresholdsOf } from "../../model/costs.ts";
import { isSameResult } from "../../analysis/keys.ts";
import { typical } from "../../stats/median.ts";
import type { Capacity, Noise, Result, Scaling } from "../../model/derived.ts";
import { generatorCpuUs } from "../../model/figures.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import { count, fixed, nonEmpty, oneLine, share, UNKNOWN } from "../../model/text.ts";
import {
  distinct,
  halfWidth,
  markedRate,
  microseconds,
  milliseconds,
  multiple,
  range,
  rate,
  spread,
} from "../format.ts";
import { countsLines } from "../counts_text.ts";
import { windowsOf } from "../explain.ts";
import { functionsLines } from "../functions_text.ts";
import { describeReason, describeReasons, describeSlo, describeStatus } from "../reasons.ts";
import type { CaptionedTable, CellColumn, Table } from "../table.ts";
import { intervals, makeTable, numbers, words } from "../table.ts";
import { unmeasuredCosts } from "../warnings.ts";
import { changesNotes } from "./changes_notes.ts";
import { changesTable } from "./changes_table.ts";
import { changesVerdict } from "./changes_verdict.ts";
import { distributedTables } from "./distributed_tables.ts";
import { openLoop } from "./open_loop_table.ts";
import { releasesTables } from "./releases_table.ts";

/** Returns the tables that are specific to merged runners, or to experiments other than `run`. */
export function experimentTables(report: AnyReport): CaptionedTable[] {
  if (report.kind === "distributed") return distributedTables(report);
  const { changes, servers, openLoopResults, experiment: { kind, design } } = report;
  switch (kind) {
    case "versus": {
      if (changes === null) return [];
      const notes = [
        ...functionsLines(changes),
        ...countsLines(changes),
        ...servers.map(({ id, name }) => `${id}: ${name}`),
        ...unmeasuredCosts(report),
        ...changesNotes(changes),
      ];
      const verdict = changesVerdict(changes, thresholdsOf(design));
      const caption = "Changes from base to head";
      return [{ verdict, caption, table: changesTable(changes), notes }];
    }
    case "releases":
      return changes === null ? [] : releasesTables(report, changes);
    case "rate":
      return [openLoop(report, "Response times at given rates")];
    case "capacity":
      if (openLoopResults.length === 0) return [capacities(report)];
      return [capacities(report), openLoop(report, "Response times at shares of that rate")];
    case "scaling":
      return [scaling(report)];
    case "noise": {
      const caption = "A server against itself: the noise floor";
      return [{ caption, table: noiseTable(report), notes: [] }];
    }
    case "generators": {
      const caption = "One server under each load generator";
      return [{ caption, table: generatorsTable(report), notes: [] }];
    }
    case "run":
    case "preset":
      return [];
  }
}

function capacities(report: Report): CaptionedTable {
  const { experiment: { scenarios, variants, search } } = report;
  const several = variants.length > 1;
  const place = ({ scenario, variant }: Capacity): number =>
    scenarios.indexOf(scenario) * variants.length + variants.findIndex(({ id }) => id === variant);
  const sorted = report.capacities.toSorted((a, b) => place(a) - place(b));
  const table = makeTable(sorted, [
    several && words("Server", ({ variant }) => variant),
    words("Scenario", ({ scenario }) => scenario),
    numbers("Met/s", (one) => `${isBound(one) ? "≥ " : ""}${rate(one.heldPerS)}`),
    numbers("Missed/s", (one) => isBound(one) ? UNKNOWN : rate(one.failedPerS)),
    words("Bottleneck", (one) => bottleneckOf(one) ?? UNKNOWN),
    numbers("Tried", ({ trials }) => String(trials.length), 1),
  ], (capacity) => {
    const { scenario, variant: server, heldPerS, failedPerS, trials, reason } = capacity;
    const names = several ? [server, scenario] : [scenario];
    return heldPerS === null && reason !== null
      ? { cells: names, rest: describeReason(reason), server }
      : { values: [...names, heldPerS, failedPerS, bottleneckOf(capacity), trials.length], server };
  });
  // The evidence for the bottleneck at each capacity
  const evidence = report.capacities.map((capacity) => {
    const { scenario, variant, bottleneck, isOfGenerator, heldPerS } = capacity;
    const name = several ? `${scenario} of ${variant}` : scenario;
    if (heldPerS === null) return null;
    if (!isOfGenerator) return bottleneck && `${name}: ${describeReasons(bottleneck.reasons)}.`;
    const held = rate(heldPerS);
    return `${name}: beyond ${held}/s the load generator was too late, so the server may reach more (≥): send from another machine, or use more cores.`;
  });
  return {
    caption: `The highest rate that meets ${search === null ? "the SLO" : describeSlo(search.slo)}`,
    table,
    notes: nonEmpty(
      report.capacities.some(({ heldPerS }) => heldPerS !== null) &&
        "Met/s: the highest rate that met the SLO, the load generator's lateness included. The capacity is between Met/s and Missed/s.",
      ...evidence,
    ),
  };
}

/** Returns whether a capacity is a lower bound: no rate made the server itself miss the SLO. */
function isBound({ isOfGenerator, failedPerS }: Capacity): boolean {
  return isOfGenerator || failedPerS === null;
}

function bottleneckOf({ bottleneck, isOfGenerator }: Capacity): string | null {
  return isOfGenerator ? "generator" : bottleneck?.kind ?? null;
}

function scaling(report: Report): CaptionedTable {
  const { experiment: { scenarios, variants }, results, host } = report;
  const servers = distinct(variants.map(({ server }) => server));
  const place = ({ scenario, server }: Scaling): number =>
    scenarios.indexOf(scenario) * servers.length + servers.indexOf(server);
  const sorted = report.scaling.toSorted((a, b) => place(a) - place(b))
    .map((row) => ({ ...row, result: results.find((one) => isSameResult(one, row)) }));
  const table = makeTable(sorted, [
    words("Server", ({ server }) => server),
    words("Scenario", ({ scenario }) => scenario),
    numbers("Workers", ({ workers }) => String(workers)),
    numbers("Req/Sec", ({ result }) => result ? reached(result) : UNKNOWN),
    intervals(({ result }) => spread(result?.requestsPerS ?? null), 2),
    numbers("Speed-up", ({ rate }) => times(rate)),
    intervals(({ rate }) => spread(rate && { ...rate, median: rate.ratio }), 1),
    numbers("Efficiency", ({ efficiency }) => share(efficiency ?? NaN)),
    numbers("CPU/req", ({ cpu }) => times(cpu)),
    intervals(({ cpu }) => spread(cpu && { ...cpu, median: cpu.ratio }), 1),
    words("Bottleneck", ({ result }) => result?.bottleneck?.kind ?? UNKNOWN, 3),
  ], ({ variant: server }) => ({ server }));
  const shared = sorted.filter((row) => row.isShared && row.workers > row.baseWorkers);
  const fewest = count(Math.min(...shared.map(({ workers }) => workers)), "worker");
  const cores = count(host.cores, "core");
  const notes = nonEmpty(
    "Speed-up and CPU/req: ratios to the fewest workers, in the same rounds; efficiency: speed-up divided by the ratio of workers.",
    shared.length > 0 &&
      `${fewest}, the load generator and other components share ${cores}: more workers can hardly raise the rate here, so efficiency is the machine's. CPU/req is still valid.`,
  );
  return { caption: "Scaling over workers", table, notes };
}

function reached(result: Result): string {
  return result.requestsPerS === null ? UNKNOWN : markedRate(result.requestsPerS.median, result);
}

function times(ratio: Scaling["rate"]): string {
  return ratio === null ? UNKNOWN : `${multiple(ratio.ratio)} x`;
}

/** Returns a table with the noise of each scenario, by rate and by CPU time. */
export function noiseTable({ noise }: Report): Table {
  return makeTable(noise, [
    words("Scenario", ({ scenario }) => scenario),
    words("Method", ({ method }) => method),
    ...figures("Req/Sec", "requestsPerS"),
    ...figures("CPU/req", "serverCpuUs"),
    numbers("Rounds", ({ requestsPerS }) => String(requestsPerS?.rounds ?? 0), 1),
  ]);
}

function figures(heading: string, id: "requestsPerS" | "serverCpuUs"): CellColumn<Noise>[] {
  return [
    numbers(heading, ({ [id]: figure }) => fixed(figure?.ratio ?? NaN, 3)),
    numbers("95 % CI", ({ [id]: figure }) => {
      return figure?.confidenceInterval ? range(figure.confidenceInterval) : UNKNOWN;
    }, 1),
    numbers("Floor", ({ [id]: figure }) => share(figure?.floor ?? NaN)),
  ];
}

/** Returns the table of load generators, for a report in which each one is a variant. */
export function generatorsTable(report: Report): Table {
  const { results } = report;
  const several = new Set(results.map(({ scenario }) => scenario)).size > 1;
  return makeTable(results, [
    words("Generator", ({ variant }) => variant),
    several && words("Scenario", ({ scenario }) => scenario),
    numbers("Req/Sec", reached),
    numbers("±", ({ requestsPerS }) => halfWidth(requestsPerS)),
    numbers(
      "CPU/req generator",
      (result) => microseconds(typical(windowsOf(result, report), generatorCpuUs)),
    ),
    numbers("CPU/req server", ({ serverCpuUs }) => microseconds(serverCpuUs?.median ?? null)),
    numbers("±", ({ serverCpuUs }) => halfWidth(serverCpuUs), 1),
    numbers("p50", ({ p50Us }) => milliseconds(p50Us), 1),
    numbers("p99", ({ p99Us }) => milliseconds(p99Us), 1),
    words("Bottleneck", ({ bottleneck }) => bottleneck?.kind ?? UNKNOWN),
  ], (result) =>
    result.status === "ok" ? {} : {
      cells: [result.variant, ...(several ? [result.scenario] : [])],
      rest: oneLine(describeStatus(result)),
    });
}
