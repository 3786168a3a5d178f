import { UsageError } from "../model/errors.ts";
import type { AnyReport } from "../model/report.ts";
import { toJson } from "../model/text.ts";
import { csv } from "./csv.ts";
import { markdown } from "./markdown.ts";
import type { Screen } from "./draw.ts";
import { type Extent, terminal } from "./terminal.ts";

/** The formats of reports. */
export const FORMATS = ["table", "markdown", "html", "json", "csv", "svg"] as const;
export type Format = typeof FORMATS[number];

/**
 * Returns reports in a format.
 *
 * @param extent returns the extent of each report in the format `table`
 * @throws {UsageError} for several reports as JSON or SVG, or for merged runners as SVG
 */
export async function render(
  format: Format,
  reports: readonly AnyReport[],
  screen: Screen,
  extent?: (report: AnyReport) => Extent,
): Promise<string> {
  switch (format) {
    case "table":
      return reports.map((report) => terminal(report, screen, extent?.(report))).join("\n");
    case "markdown":
      return markdown(reports);
    case "csv":
      return csv(reports);
    case "json":
      if (reports.length > 1) {
        throw new UsageError("Cannot print several reports as JSON: name one");
      }
      return toJson(reports[0], 1) + "\n";
    case "html":
      // Loaded here, because only charts need their library
      return (await import("./html/page.ts")).html(reports);
    case "svg": {
      const [report, ...others] = reports;
      if (report === undefined || others.length > 0) {
        throw new UsageError("Cannot print several reports as SVG: name one");
      }
      if (report.kind === "distributed") {
        throw new UsageError("Cannot draw merged runners as SVG: use --format html instead");
      }
      return (await import("./html/picture.ts")).svg(report);
    }
  }
}
