/** Makes the output of the commands that compare: `compare` and `versus`. */
import { versionDifferences } from "../analysis/comparable.ts";
import type { Thresholds } from "../model/costs.ts";
import type { Changes } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { countsLines } from "./counts_text.ts";
import { functionsLines } from "./functions_text.ts";
import { markdownList, markdownTable, markdownText } from "./markdown.ts";
import { describeReason } from "./reasons.ts";
import { environment } from "./environment_text.ts";
import { bodyCheckWarnings, failedSlices, unmeasuredCosts } from "./warnings.ts";
import { changesNotes } from "./tables/changes_notes.ts";
import { changesTable } from "./tables/changes_table.ts";
import { changesVerdict } from "./tables/changes_verdict.ts";
import { draw, type Screen, tintedLines, wrapAll } from "./table.ts";
import { nonEmpty } from "../model/text.ts";
import { quoted } from "./reproduce.ts";

/** Sentences that are printed together with changes. */
export interface ChangesNotes {
  /** The result of --fail-on; printed after the verdict. */
  readonly gate: readonly string[];
  readonly thresholds?: Thresholds;
  readonly notes: readonly string[];
}

/** Returns changes as text for a terminal. */
export function changesText(
  changes: Changes,
  { gate, thresholds, notes }: ChangesNotes,
  screen: Screen,
): string {
  const { columns, styled } = screen;
  const counts = [...functionsLines(changes), ...countsLines(changes)];
  return [
    "",
    ...tintedLines(wrapAll([changesVerdict(changes, thresholds), ...gate], columns), styled),
    "",
    ...(changes.changes.length + changes.costs.length === 0
      ? []
      : [...draw(changesTable(changes), screen), ""]),
    ...(counts.length === 0 ? [] : [...wrapAll(counts, columns), ""]),
    ...wrapAll([...changesNotes(changes), ...notes], columns),
  ].join("\n");
}

/** Returns changes as Markdown, with a title. */
export function changesMarkdown(
  title: string,
  changes: Changes,
  { gate, thresholds, notes }: ChangesNotes,
): string {
  return [
    `### ${markdownText(changesVerdict(changes, thresholds))}`,
    "",
    ...gate.flatMap((note) => [markdownText(note), ""]),
    `Stampede: ${markdownText(title)}`,
    "",
    ...(changes.changes.length + changes.costs.length === 0
      ? []
      : [markdownTable(changesTable(changes)), ""]),
    ...markdownList([
      ...functionsLines(changes),
      ...countsLines(changes),
      ...changesNotes(changes),
      ...notes,
    ]),
    "",
  ].join("\n");
}

/** Returns notes on two compared reports: on versions, and on other programs that used the machine. */
export function notesOfReports(base: Report, head: Report): string[] {
  const busy = Object.entries({ BASE: base, HEAD: head }).flatMap(([name, { host, program }]) => {
    const versus = quoted([...program, "versus", "--base", "main"]);
    return host.findings.filter(({ name, status }) => name === "load" && status === "warn")
      .map(({ found }) =>
        `${name} began on a busy machine (${found}): measure it again on a quiet one, or measure both together: ${versus}`
      );
  });
  const versions = versionDifferences(base, head).map(describeReason);
  return nonEmpty(...busy, versions.length > 0 && `Versions differ: ${versions.join(", ")}`);
}

/** Returns notes for a report of `versus`. */
export function notesOfVersus(report: Report): string[] {
  const names = report.servers.map(({ id, name }) => `${id}: ${name}`);
  return [
    names.join("; ") +
    (report.experiment.design.isTimed ? "; paired over the rounds of one run" : ""),
    ...unmeasuredCosts(report),
    ...failedSlices(report),
    ...bodyCheckWarnings(report),
    ...environment(report),
  ];
}
