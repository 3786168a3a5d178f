import type { Report } from "../../model/report.ts";
import { share, UNKNOWN } from "../../model/format.ts";
import { bareMilliseconds, rate } from "../format.ts";
import { column, type Table } from "../table.ts";

/** Returns a table with the figures of each kind of request in a mix; null without a mix. */
export function kindsTable({ results, experiment: { variants } }: Report): Table | null {
  const mixed = results.filter(({ kinds }) => kinds.length > 0);
  if (mixed.length === 0) return null;
  const several = variants.length > 1;
  const time = (us: number | null): string => us === null ? UNKNOWN : bareMilliseconds(us);
  return {
    columns: [
      column("Mix", false),
      ...(several ? [column("Server", false)] : []),
      column("Request", false),
      column("Share", true),
      column("Req/Sec", true),
      column("p50 ms", true),
      column("p99 ms", true),
    ],
    rows: mixed.flatMap(({ scenario, variant, kinds }) => {
      const sum = kinds.reduce((total, { requestsPerS }) => total + requestsPerS, 0);
      return kinds.map((kind) => ({
        cells: [
          scenario,
          ...(several ? [variant] : []),
          kind.scenario,
          sum === 0 ? UNKNOWN : share(kind.requestsPerS / sum),
          rate(kind.requestsPerS),
          time(kind.p50Us),
          time(kind.p99Us),
        ],
      }));
    }),
  };
}
