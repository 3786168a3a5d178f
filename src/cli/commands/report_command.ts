/** The commands that print stored reports: report and history. */
import { isOfServers } from "../../analysis/histories.ts";
import { FINE, messageOf, UsageError } from "../../model/errors.ts";
import { readReport } from "../../results/read_report.ts";
import { newestReport, readHistory } from "../../results/run_index.ts";
import { claimPath, writeWhole } from "../../results/store.ts";
import { render } from "../../view/reporters.ts";
import { draw, type Screen, wrap } from "../../view/table.ts";
import { historyTable } from "../../view/tables/history_table.ts";
import type { Extent } from "../../view/terminal.ts";
import { type Options, readExplained } from "../command.ts";
import { FILE, type Io } from "../io.ts";

export async function report(paths: readonly string[], options: Options, io: Io): Promise<number> {
  const { format, out, explain, wide: isWide = false } = options;
  const files = paths.length > 0 ? paths.map((path) => io.path(path)) : [await newestReport(io)];
  const reports = await Promise.all(files.map(readReport));
  if (format !== "table" && (isWide || explain !== undefined)) {
    throw new UsageError(
      `--format ${format} contains every figure: leave out --wide and --explain`,
    );
  }
  const extents = new Map(reports.map((report, i) => {
    if (report.kind === "distributed" && explain !== undefined) {
      throw new UsageError("Cannot explain merged runners: leave out --explain");
    }
    const scenarios = report.kind === "run" ? report.experiment.scenarios : [];
    const explained = readExplained(explain, scenarios.map((id) => ({ id })));
    return [report, { explained, isWide, file: paths[i] ?? null }];
  }));
  const drawn = (screen: Screen): Promise<string> =>
    render(format, reports, screen, (report) => extents.get(report) as Extent).catch((error) => {
      if (error instanceof UsageError) throw error;
      // The schema accepts some impossible values, such as a damaged histogram
      const [message] = messageOf(error).split("\n");
      throw new UsageError(
        `Cannot print ${files.join(", ")} as ${format}: it is damaged: ${message}`,
      );
    });
  if (out === undefined) {
    io.out((await drawn(io.screen)).trimEnd());
    return FINE;
  }
  const path = await claimPath(io.path(out));
  if ((await Promise.all(files.map((file) => Deno.realPath(file)))).includes(path)) {
    throw new UsageError(`Cannot write to ${out}: it is the report itself; choose another --out`);
  }
  await writeWhole(path, await drawn(FILE));
  io.out(`Written to ${path}`);
  return FINE;
}

const HISTORY_LEGEND =
  "Scenario: Req/Sec; rel. CPU: CPU time per response, bare Deno.serve is 1, comparable from day to day; commit with +: with uncommitted changes. As HTML pages, with changes:";

export async function history(
  scenarios: readonly string[],
  options: Options,
  io: Io,
): Promise<number> {
  const ids = (options.servers ?? "all").split(",").map((id) => id.trim());
  const runs = (await readHistory(io, io.err)).filter((entry) =>
    isOfServers(entry) || entry.kind === "distributed"
  );
  const entries = runs.map((entry) => ({
    ...entry,
    results: entry.results.filter(({ variant, scenario, requestsPerS }) =>
      requestsPerS !== null && (ids.includes("all") || ids.includes(variant)) &&
      (scenarios.length === 0 || scenarios.includes(scenario))
    ),
  })).filter(({ results }) => results.length > 0);
  if (entries.length === 0) {
    throw new UsageError(
      `There is no such run in ${io.results}/: measure first, with stampede run`,
    );
  }
  const table = draw(historyTable(entries), io.screen);
  const legend = wrap(HISTORY_LEGEND, io.screen.columns);
  io.out([...table, "", ...legend, `  ${[...io.program, "site"].join(" ")}`].join("\n"));
  return FINE;
}
