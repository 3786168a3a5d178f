/** Makes the output of the commands that compare: `compare` and `versus`. */
import { versionDifferences } from "../analysis/comparable.ts";
import type { Changes } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { printable } from "../model/text.ts";
import { markdownTable, markdownText } from "./markdown.ts";
import { describeReason } from "./reasons.ts";
import { environment } from "./environment_text.ts";
import { bodyCheckWarnings, failedSlices } from "./warnings.ts";
import { changesNotes, changesTable } from "./tables/changes_table.ts";
import { draw, type Screen } from "./draw.ts";
import { tintedLines, wrap } from "./table.ts";
import { changesVerdict } from "./changes_verdict.ts";
import { quoted } from "./reproduce.ts";

/** Sentences that are printed together with changes. */
export interface ChangesNotes {
  /** The result of --fail-on; printed after the verdict. */
  readonly gate: readonly string[];
  /** The threshold of --fail-on, as a share; null without --fail-on. */
  readonly failOn?: number | null;
  /** Further notes, printed after the table. */
  readonly notes: readonly string[];
}

/** Returns changes as text for a terminal. */
export function changesText(
  changes: Changes,
  { gate, failOn = null, notes }: ChangesNotes,
  screen: Screen,
): string {
  const all = [...changesNotes(changes), ...notes];
  const wrapped = (text: string): string[] => wrap(printable(text), screen.columns);
  return [
    "",
    ...tintedLines([changesVerdict(changes, failOn), ...gate].flatMap(wrapped), screen.styled),
    "",
    ...draw(changesTable(changes), screen),
    "",
    ...all.flatMap(wrapped),
  ].join("\n");
}

/** Returns changes as Markdown, with a title. */
export function changesMarkdown(
  title: string,
  changes: Changes,
  { gate, failOn = null, notes }: ChangesNotes,
): string {
  const all = [...changesNotes(changes), ...notes];
  return [
    `### ${markdownText(changesVerdict(changes, failOn))}`,
    "",
    ...gate.flatMap((note) => [markdownText(note), ""]),
    `Stampede: ${markdownText(title)}`,
    "",
    markdownTable(changesTable(changes)),
    "",
    ...all.map((note) => `- ${markdownText(note)}`),
    "",
  ].join("\n");
}

/**
 * Returns notes for two compared reports: on differing versions, and on other programs that used the
 * machine at the start of a run.
 */
export function notesOfReports(base: Report, head: Report): string[] {
  const versions = versionDifferences(base, head).map(describeReason);
  return [
    ...underLoad(base, "BASE"),
    ...underLoad(head, "HEAD"),
    ...(versions.length === 0 ? [] : [`Versions differ: ${versions.join(", ")}`]),
  ];
}

/** Returns a warning if other programs kept the machine busy when a run began. */
function underLoad({ host: { findings }, program }: Report, name: string): string[] {
  return findings.filter(({ name, status }) => name === "load" && status === "warn")
    .map(({ found }) =>
      `${name} began on a busy machine (${found}): measure it again on a quiet one, or measure both together: ${
        quoted([...program, "versus", "--base", "main"])
      }`
    );
}

/** Returns notes for a report of `versus`. */
export function notesOfVersus(report: Report): string[] {
  const names = report.servers.map(({ id, name }) => `${id}: ${name}`);
  return [
    `${names.join("; ")}; paired over the rounds of one run`,
    ...failedSlices(report),
    ...bodyCheckWarnings(report),
    ...environment(report),
  ];
}
