import { isOfServers } from "../../analysis/index_entry.ts";
import { UsageError } from "../../model/errors.ts";
import { FINE } from "../../model/exit_codes.ts";
import { readHistory } from "../../results/run_index.ts";
import { RESULTS } from "../../results/store.ts";
import { historyTable } from "../../view/tables/history_table.ts";
import { draw } from "../../view/draw.ts";
import { wrap } from "../../view/wrap.ts";
import type { Io } from "../io.ts";

/**
 * Runs `history`: prints the figures of the runs in `results/`, the oldest first.
 *
 * @param scenarioIds the scenarios to show; empty for all
 * @returns the exit code
 * @throws {UsageError} if no run matches
 */
export async function history(
  scenarioIds: readonly string[],
  { servers }: { readonly servers?: string },
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
    throw new UsageError(`There is no such run in ${RESULTS}/: measure first, with bench run`);
  }
  for (const line of draw(historyTable(entries), io.screen)) io.out(line);
  const legend =
    "Scenario: Req/Sec; rel. CPU: CPU time per response, bare Deno.serve is 1, comparable from day to day; commit with +: with uncommitted changes. As HTML pages, with changes:";
  const lines = [...wrap(legend, io.screen.columns), `  ${[...io.program, "site"].join(" ")}`];
  for (const line of ["", ...lines]) io.out(line);
  return FINE;
}
