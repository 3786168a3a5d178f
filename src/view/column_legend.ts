import type { Table } from "./table.ts";

/** Legend of each column, by its heading. A heading that needs no explanation is left out. */
const COLUMN_LEGEND: Readonly<Record<string, string>> = {
  "Req/Sec": "responses per second, median of the rounds",
  "CPU/req": "the server's CPU time per response, median of the rounds",
  "±":
    "half the 95 % CI of the figure before it, from 6 rounds on; both sides if one is much longer",
  "Rel. CPU": "CPU time per response, bare Deno.serve is 1, from slices",
  "per core": "responses per second from one fully used core, by CPU/req",
  "p50 ms": "median service time, closed loop",
  "p99 ms": "99th percentile of the service time, closed loop",
  "probe p99": "99th percentile of the probe's response times, from the scheduled send time, in ms",
  "RSS": "the server's peak memory",
  "Start-up": "time from spawn to the first right response",
  "Idle RSS": "the server's memory before the load",
  "Handshake ms":
    "time for a full TLS handshake, TCP connect included; no other figure includes it",
  "CPU ms": "the server's CPU time per handshake",
};

/** Returns the legend of the tables' columns as one sentence; empty if no column needs one. */
export function columnLegend(tables: readonly Table[]): string[] {
  const headings = new Set(tables.flatMap(({ columns }) => columns.map(({ heading }) => heading)));
  const legends = Object.entries(COLUMN_LEGEND).filter(([heading]) => headings.has(heading));
  return legends.length === 0 ? [] : [legends.map((entry) => entry.join(": ")).join("; ") + "."];
}
