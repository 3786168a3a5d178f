import type { Noise } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { fixed, share, UNKNOWN } from "../format.ts";
import type { Table } from "../table.ts";

/** Returns a table with the noise of each scenario, by rate and by CPU time. */
export function noiseTable({ noise }: Report): Table {
  const numbers = ["Req/Sec", "95 % CI", "Floor", "CPU/req", "95 % CI", "Floor"];
  return {
    columns: [
      { heading: "Scenario", isNumber: false, dropOrder: 0 },
      { heading: "Method", isNumber: false, dropOrder: 0 },
      ...numbers.map((heading) => ({
        heading,
        isNumber: true,
        dropOrder: heading === "95 % CI" ? 1 : 0,
      })),
      { heading: "Rounds", isNumber: true, dropOrder: 1 },
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
