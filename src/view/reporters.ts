/** Returns reports in every format. */
import { UsageError } from "../model/errors.ts";
import type { AnyReport } from "../model/report.ts";
import { toJson } from "../model/text.ts";
import type { Screen } from "./table.ts";
import type { Extent } from "./terminal.ts";

/** The formats of reports. */
export const FORMATS = ["table", "markdown", "html", "json", "csv", "svg"] as const;
export type Format = typeof FORMATS[number];

/**
 * Returns reports in a format, which is imported first; `extent` is for the format `table`.
 *
 * @throws {UsageError} for several reports as JSON or SVG, or for merged runners as SVG
 */
export async function render(
  format: Format,
  reports: readonly AnyReport[],
  screen: Screen,
  extent?: (report: AnyReport) => Extent,
): Promise<string> {
  const [report, ...others] = reports;
  const isOne = format === "json" || format === "svg";
  if (isOne && (report === undefined || others.length > 0)) {
    throw new UsageError(`Cannot print several reports as ${format.toUpperCase()}: name one`);
  }
  switch (format) {
    case "table": {
      const { terminal } = await import("./terminal.ts");
      return reports.map((report) => terminal(report, screen, extent?.(report))).join("\n");
    }
    case "markdown":
      return (await import("./markdown.ts")).markdown(reports);
    case "csv":
      return (await import("./csv.ts")).csv(reports);
    case "json":
      return toJson(report, 1) + "\n";
    case "html":
      return (await import("./html/page.ts")).html(reports);
    case "svg":
      if (report?.kind !== "run") {
        throw new UsageError("Cannot draw merged runners as SVG: use --format html instead");
      }
      return (await import("./html/picture.ts")).svg(report);
  }
}
