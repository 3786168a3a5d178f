/** Changes as the commands that compare print them. */
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
import { tintedLines } from "./tint.ts";
import { changesVerdict } from "./changes_verdict.ts";
import { wrap } from "./wrap.ts";

/** What is said beside changes. */
export interface ChangesNotes {
  /** What a gate makes of them; it follows the verdict. */
  readonly gate: readonly string[];
  /** The threshold of that gate, as a share; null: there is none. */
  readonly failOn?: number | null;
  /** What is to be known besides. */
  readonly notes: readonly string[];
}

/** Changes for a terminal. */
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

/** The same as Markdown, under a title. */
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

/** What is to be known of two reports that are compared. */
export function notesOfReports(base: Report, head: Report): string[] {
  const versions = versionDifferences(base, head).map(describeReason);
  return [
    ...underLoad(base, "BASE"),
    ...underLoad(head, "HEAD"),
    ...(versions.length === 0 ? [] : [`Versions that differ: ${versions.join(", ")}`]),
  ];
}

/** A warning if a run began while something else kept the machine busy. */
function underLoad({ host: { findings } }: Report, name: string): string[] {
  return findings.filter(({ name, status }) => name === "load" && status === "warn")
    .map(({ found }) =>
      `${name} began under load (${found}): measure it again on a quiet machine, or compare both with bench versus`
    );
}

/** What is to be known of a report whose servers are base and head. */
export function notesOfVersus(report: Report): string[] {
  const names = report.servers.map(({ id, name }) => `${id}: ${name}`);
  return [
    `${names.join("; ")}; paired over the rounds of one run`,
    ...failedSlices(report),
    ...bodyCheckWarnings(report),
    ...environment(report),
  ];
}
