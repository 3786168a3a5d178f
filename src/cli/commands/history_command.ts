import { isOfServers } from "../../analysis/index_entry.ts";
import { UsageError } from "../../model/errors.ts";
import { FINE } from "../../model/exit_codes.ts";
import { readHistory } from "../../results/run_index.ts";
import { RESULTS } from "../../results/store.ts";
import { historyTable } from "../../view/tables/history_table.ts";
import { draw } from "../../view/draw.ts";
import { wrap } from "../../view/wrap.ts";
import type { Io } from "../io.ts";

/** Options of `history`, as the table of options yields them. */
export interface HistoryOptions {
  readonly servers?: string;
}

/**
 * `history`: what the runs whose reports are in `results/` reached, the oldest first.
 *
 * @param scenarioIds those to show; none means all
 */
export async function history(
  scenarioIds: readonly string[],
  { servers }: HistoryOptions,
  io: Io,
): Promise<number> {
  const ids = servers?.split(",").map((id) => id.trim()) ?? ["all"];
  const runs = (await readHistory(io.folder, io.err)).filter((entry) =>
    isOfServers(entry) || entry.kind === "distributed"
  );
  const entries = runs.map((entry) => ({
    ...entry,
    results: entry.results.filter(({ variant, scenario, requestsPerS }) =>
      requestsPerS !== null && (ids.includes("all") || ids.includes(variant)) &&
      (scenarioIds.length === 0 || scenarioIds.includes(scenario))
    ),
  })).filter(({ results }) => results.length > 0);
  if (entries.length === 0) {
    throw new UsageError(`There is no such run in ${RESULTS}/: run bench first`);
  }
  for (const line of draw(historyTable(entries), io.screen)) io.out(line);
  const legend =
    "Req/Sec; rel. CPU: CPU time of a response over that of the reference server, whatever the machine's mood; + beside a commit: with changes. As pages, with what changed: bench site";
  for (const line of ["", ...wrap(legend, io.screen.columns)]) io.out(line);
  return FINE;
}
