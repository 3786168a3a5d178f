/** What the comment says. */
import type { Changes } from "../model/derived.ts";
import { UsageError } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { notesOfVersus } from "../view/changes_text.ts";
import { gateNotes } from "../view/gate_text.ts";
import { markdownTable, markdownText } from "../view/markdown.ts";
import { changesNotes, changesTable } from "../view/tables/changes_table.ts";
import { changesVerdict } from "../view/changes_verdict.ts";

/** GitHub takes no longer text: "body is too long (maximum is 65536 characters)". */
export const MOST_CHARACTERS = 65_536;
/** Of one sentence, before it is escaped, which makes it eight times as long at most. */
const LONGEST_SENTENCE = 1000;
/** For the lines that stand below everything else. */
const FOOT_CHARACTERS = 2000;

/** What is known of a measurement beside its report, all from GitHub itself. */
export interface CommentContext {
  /** As a share; null for no gate. */
  readonly failOn: number | null;
  readonly headSha: string;
  /** The address of the run that measured. */
  readonly runUrl: string;
  readonly isFork: boolean;
  readonly marker: string;
}

/**
 * What the two states are to each other, in a sentence.
 *
 * @throws {UsageError} for a report of anything else.
 */
export function verdictOf(report: Report): string {
  return changesVerdict(changesOf(report), report.experiment.design.failOn);
}

/**
 * The comment on a report: the verdict first, the table, and the rest folded. Every word of the report is escaped, and
 * what is too long for GitHub is left out, whole lines at a time.
 *
 * @throws {UsageError} for a report that is none of `bench versus`.
 */
export function commentBody(report: Report, context: CommentContext): string {
  const changes = changesOf(report);
  const gate = gateNotes(changes, { failOn: context.failOn, strict: false });
  const head = [
    `### ${sentence(changesVerdict(changes))}`,
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

/** The comment on a state that could not be measured, so that no older verdict seems to be about it. */
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
      ? ["The pull request comes from a fork, whose own run made the figures: they are its word."]
      : []),
    "",
    marker,
  ];
}

function changesOf({ changes }: Report): Changes {
  if (changes !== null) return changes;
  throw new UsageError("Cannot comment on the report: it is none of bench versus, or not whole");
}

/** A sentence as Markdown, cut before it is escaped so that no escape is. */
function sentence(text: string): string {
  const cut = text.length <= LONGEST_SENTENCE
    ? text
    : `${text.slice(0, LONGEST_SENTENCE).toWellFormed()} …`;
  return markdownText(cut);
}

/** As many lines from the first as there is room for. */
function fitting(lines: readonly string[], room: number): string[] {
  let left = room;
  const end = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return end < 0 ? [...lines] : lines.slice(0, end);
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length + 1, 0);
}
