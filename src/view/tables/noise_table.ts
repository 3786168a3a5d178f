import type { Noise } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { fixed, share, UNKNOWN } from "../../model/text.ts";
import { column, type Table } from "../table.ts";

/** Returns a table with the noise of each scenario, by rate and by CPU time. */
export function noiseTable({ noise }: Report): Table {
  const numbers = ["Req/Sec", "95 % CI", "Floor", "CPU/req", "95 % CI", "Floor"];
  return {
    columns: [
      column("Scenario", false),
      column("Method", false),
      ...numbers.map((heading) => column(heading, true, heading === "95 % CI" ? 1 : 0)),
      column("Rounds", true, 1),
    ],
    rows: noise.map(({ scenario, method, requestsPerS, serverCpuUs }) => ({
      cells: [
        scenario,
        method,
        ...figures(requestsPerS),
        ...figures(serverCpuUs),
        String(requestsPerS?.rounds ?? 0),
      ],
    })),
  };
}

function figures(noise: Noise["requestsPerS"]): string[] {
  if (noise === null) return [UNKNOWN, UNKNOWN, UNKNOWN];
  const { ratio, confidenceInterval, floor } = noise;
  return [
    fixed(ratio, 3),
    confidenceInterval === null
      ? UNKNOWN
      : `${fixed(confidenceInterval.low, 3)} to ${fixed(confidenceInterval.high, 3)}`,
    floor === null ? UNKNOWN : share(floor),
  ];
}
