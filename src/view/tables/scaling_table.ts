import { isSameResult } from "../../analysis/result_key.ts";
import type { Report } from "../../model/report.ts";
import type { Scaling } from "../../model/scaling.ts";
import { count, share, UNKNOWN } from "../../model/format.ts";
import { markedRate, multiple, spread } from "../format.ts";
import { column, intervalColumn, type Table } from "../table.ts";

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
