import { UsageError } from "../../model/errors.ts";
import { historyTable, readHistory } from "../../results/history.ts";
import { RESULTS } from "../../results/store.ts";
import { draw } from "../../view/terminal.ts";
import { complain, say } from "../print.ts";
import { screenOf } from "../screen.ts";

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
): Promise<number> {
  const ids = servers?.split(",").map((id) => id.trim()) ?? ["all"];
  const entries = (await readHistory(complain)).map((entry) => ({
    ...entry,
    cells: entry.cells.filter(({ target, scenario }) =>
      (ids.includes("all") || ids.includes(target)) &&
      (scenarioIds.length === 0 || scenarioIds.includes(scenario))
    ),
  })).filter(({ cells }) => cells.length > 0);
  if (entries.length === 0) {
    throw new UsageError(`There is no such run in ${RESULTS}/: run bench first`);
  }
  for (const line of draw(historyTable(entries), screenOf())) say(line);
  say("\nReq/Sec; + beside a commit: with changes. As a page: bench report --format html FILE...");
  return 0;
}
