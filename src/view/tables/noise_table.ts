import type { Noise } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { fixed, share, UNKNOWN } from "../../model/text.ts";
import { range } from "../format.ts";
import { type CellColumn, makeTable, numbers, type Table, words } from "../table.ts";

/** Returns a table with the noise of each scenario, by rate and by CPU time. */
export function noiseTable({ noise }: Report): Table {
  return makeTable(noise, [
    words("Scenario", ({ scenario }) => scenario),
    words("Method", ({ method }) => method),
    ...figures("Req/Sec", ({ requestsPerS }) => requestsPerS),
    ...figures("CPU/req", ({ serverCpuUs }) => serverCpuUs),
    numbers("Rounds", ({ requestsPerS }) => String(requestsPerS?.rounds ?? 0), 1),
  ]);
}

function figures(
  heading: string,
  of: (noise: Noise) => Noise["requestsPerS"],
): CellColumn<Noise>[] {
  const interval = (noise: Noise): string => {
    const known = of(noise)?.confidenceInterval;
    return known ? range(known) : UNKNOWN;
  };
  return [
    numbers(heading, (noise) => fixed(of(noise)?.ratio ?? NaN, 3)),
    numbers("95 % CI", interval, 1),
    numbers("Floor", (noise) => share(of(noise)?.floor ?? NaN)),
  ];
}
