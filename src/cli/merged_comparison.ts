import { changesOfMerged } from "../distributed/compare_merged.ts";
import type { MergedChange } from "../model/distributed.ts";
import { UsageError } from "../model/errors.ts";
import { FINE, UNDECIDED } from "../model/exit_codes.ts";
import type { AnyReport } from "../model/report.ts";
import { toJson } from "../model/text.ts";
import { writeWhole } from "../results/store.ts";
import { markdownTable } from "../view/markdown.ts";
import { MERGED_NOTES, mergedChangesTable } from "../view/tables/merged_changes_table.ts";
import { draw } from "../view/draw.ts";
import type { CompareOptions } from "./commands/compare_command.ts";
import type { Io } from "./io.ts";
import { claimOutputs } from "./outputs.ts";

/**
 * Compares two reports of `bench import`, which merges runners (k6 on several machines), and prints
 * the changes.
 *
 * Each report is a single run, so no change is proven. --fail-on therefore never fails. --fail-on with
 * --strict, which demands a proof, never passes.
 *
 * @param read real paths of the reports' files, which must not be overwritten
 * @returns the exit code
 * @throws {UsageError} if only one report is of merged runners, the loads differ, or --html is given
 */
export async function compareMerged(
  base: AnyReport,
  head: AnyReport,
  read: readonly string[],
  options: CompareOptions,
  io: Io,
): Promise<number> {
  const { json = false, strict = false, force = false, failOn, markdown, html } = options;
  if (html !== undefined) {
    throw new UsageError(
      "Cannot write merged runners as HTML: use --markdown or --json instead of --html",
    );
  }
  const outputs = await claimOutputs(markdown === undefined ? {} : { markdown }, read, io);
  const changes = changesOf(base, head, force);
  const table = mergedChangesTable(changes);
  const path = outputs.get("markdown");
  if (path !== undefined) {
    await writeWhole(path, `${markdownTable(table)}\n\n${MERGED_NOTES.join("\n")}\n`);
  }
  if (json) io.out(toJson(changes));
  else for (const line of [...draw(table, io.screen), ...MERGED_NOTES]) io.out(line);
  return failOn !== undefined && strict ? UNDECIDED : FINE;
}

function changesOf(base: AnyReport, head: AnyReport, force: boolean): MergedChange[] {
  if (base.kind === "run" || head.kind === "run") {
    throw new UsageError(
      "Cannot compare a report of merged runners with a report of one machine: their methods differ",
    );
  }
  if (!force && base.test !== head.test) {
    throw new UsageError(
      "Cannot compare: the scripts of the two loads differ; --force compares the figures that both have",
    );
  }
  const changes = changesOfMerged(base, head);
  if (changes.length > 0) return changes;
  throw new UsageError("Cannot compare: the two reports have no scenario with figures in common");
}
