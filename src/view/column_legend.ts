import type { Table } from "./table.ts";

/** What the columns mean that do not say it themselves, by their headings. */
const COLUMN_LEGEND: Readonly<Record<string, string>> = {
  "Req/Sec": "responses a second, median of the rounds",
  "CPU/req": "the server's CPU time for a response, median of the rounds",
  "±":
    "half the 95 % confidence interval of what is before it, from 6 rounds on; both sides where one is much longer",
  "Rel. CPU": "CPU time for a response over that of bare Deno.serve for one to /, from slices",
  "per core": "what CPU/req lets one core answer",
  "p50 ms": "median service time, in closed loop",
  "p99 ms": "its 99th percentile",
  "probe p99": "of a few requests beside the load, from the scheduled send time, in ms",
  "RSS": "the server's peak memory",
  "Start-up": "from spawning to the first right response",
  "Idle RSS": "its memory then",
  "Handshake ms":
    "from connecting to the end of a whole handshake, none resumed: no part of the other figures",
  "Its CPU ms": "what that takes of the server's CPU time",
};

/** The meanings of the columns of tables, in one sentence; none where no column has one. */
export function columnLegend(tables: readonly Table[]): string[] {
  const headings = new Set(tables.flatMap(({ columns }) => columns.map(({ heading }) => heading)));
  const legends = Object.entries(COLUMN_LEGEND).filter(([heading]) => headings.has(heading));
  return legends.length === 0 ? [] : [legends.map((entry) => entry.join(": ")).join("; ") + "."];
}
