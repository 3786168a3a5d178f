/** Writes the text of the comment. */
import type { Changes } from "../model/derived.ts";
import { UsageError } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { notesOfVersus } from "../view/changes_text.ts";
import { gateNotes } from "../view/gate_text.ts";
import { markdownTable, markdownText } from "../view/markdown.ts";
import { changesNotes, changesTable } from "../view/tables/changes_table.ts";
import { changesVerdict } from "../view/changes_verdict.ts";

/** GitHub's limit for a comment: "body is too long (maximum is 65536 characters)". */
export const MOST_CHARACTERS = 65_536;
/**
 * Maximum length of a sentence before escaping, in characters. Escaping makes it at most eight times longer.
 */
const LONGEST_SENTENCE = 1000;
/** Number of characters that are reserved for the last lines of a comment. */
const FOOT_CHARACTERS = 2000;

/** Facts about a measurement that come from GitHub, not from the report. */
export interface CommentContext {
  /** Threshold of the gate as a share; null without a gate. */
  readonly failOn: number | null;
  readonly headSha: string;
  /** Address of the page of the run that measured. */
  readonly runUrl: string;
  readonly isFork: boolean;
  readonly marker: string;
}

/**
 * Returns the outcome of the comparison in a sentence.
 *
 * @throws {UsageError} if the report is not a comparison.
 */
export function verdictOf(report: Report): string {
  return changesVerdict(changesOf(report), report.experiment.design.failOn);
}

/**
 * Returns the comment for a report: the verdict, the table, and folded details. All text of the report is
 * escaped. Lines that exceed GitHub's limit are left out.
 *
 * @throws {UsageError} if the report is not one of `bench versus`.
 */
export function commentBody(report: Report, context: CommentContext): string {
  const changes = changesOf(report);
  const gate = gateNotes(changes, { failOn: context.failOn, strict: false });
  const head = [
    `### ${sentence(changesVerdict(changes, context.failOn))}`,
    "",
    ...gate.slice(0, 4).flatMap((note) => [sentence(note), ""]),
  ];
  const notes = [...changesNotes(changes), ...notesOfVersus(report)];
  const details = [
    markdownTable(changesTable(changes)),
    "",
    "<details><summary>How it was measured</summary>",
    "",
    ...notes.map((note) => `- ${markdownText(note)}`),
  ].flatMap((part) => part.split("\n"));
  const room = MOST_CHARACTERS - FOOT_CHARACTERS - lengthOf(head);
  const shown = fitting(details, room);
  const isFolded = shown.some((line) => line.startsWith("<details>"));
  return [
    ...head,
    ...shown,
    ...(isFolded ? ["", "</details>"] : []),
    ...(shown.length < details.length ? ["", "The rest is too long for a comment."] : []),
    ...foot(context),
  ].join("\n");
}

/**
 * Returns the comment for a commit that could not be measured. It replaces an older verdict, which would be
 * misleading.
 */
export function failureBody(exitCode: number, context: CommentContext): string {
  return [
    `### Not measured: Stampede ended with exit code ${exitCode}.`,
    "",
    "The job's log says why.",
    ...foot(context),
  ].join("\n");
}

function foot({ headSha, runUrl, isFork, marker }: CommentContext): string[] {
  return [
    "",
    `Stampede measured ${headSha}: [the run](${runUrl}).`,
    ...(isFork
      ? ["The figures come from the fork's own run, so only the fork vouches for them."]
      : []),
    "",
    marker,
  ];
}

function changesOf({ changes }: Report): Changes {
  if (changes !== null) return changes;
  throw new UsageError("Cannot comment on the report: it is not a complete report of bench versus");
}

/** Returns a sentence as Markdown. It is cut before escaping, so that no escape sequence is cut. */
function sentence(text: string): string {
  const cut = text.length <= LONGEST_SENTENCE
    ? text
    : `${text.slice(0, LONGEST_SENTENCE).toWellFormed()} …`;
  return markdownText(cut);
}

/** Returns the first lines that together have at most `room` characters. */
function fitting(lines: readonly string[], room: number): string[] {
  let left = room;
  const end = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return end < 0 ? [...lines] : lines.slice(0, end);
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length + 1, 0);
}
