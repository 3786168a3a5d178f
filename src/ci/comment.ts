/**
 * Creates and updates the comment on a pull request; there is one for each id. Writes the text of
 * the comment. On `workflow_run`: comments on a fork's pull request with the results of the fork's
 * run. Does not run the fork's code.
 */

import type { Changes } from "../model/derived.ts";
import { Failure, FINE, UsageError } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { notesOfVersus } from "../view/changes_text.ts";
import { changesVerdict, gateNotes } from "../view/changes_verdict.ts";
import { markdownTable, markdownText } from "../view/markdown.ts";
import { changesNotes, changesTable } from "../view/tables/changes_table.ts";
import { Api } from "./api.ts";
import { artifactOf, reportOfRun } from "./artifact.ts";
import { setOutputs, tell } from "./commands.ts";
import { type ActionContext, at, type WorkflowRunEvent } from "./event.ts";
import { runUrl } from "./git.ts";
import { type Inputs, shareOf } from "./inputs.ts";

/** What {@linkcode putComment} did with the comment. */
export type CommentOutcome = "created" | "updated" | "unchanged";

const NEEDS = "pull-requests: write";

/** Returns the hidden line that identifies the comment. */
export function markerOf(id: string): string {
  return `<!-- stampede: ${id} -->`;
}

/**
 * Creates or updates the comment. It only updates comments of the token's own user with the marker as their
 * last line. Apps may edit all comments, and anyone can quote a marker.
 *
 * @param body text of the comment, with the marker as its last line
 * @throws {Failure} if GitHub refuses it.
 */
export async function putComment(
  api: Api,
  number: number,
  body: string,
  marker: string,
): Promise<CommentOutcome> {
  const author = await authorOf(api);
  const issue = `/repos/${api.repository}/issues`;
  for await (
    const comment of api.pages({
      what: "read the comments of the pull request",
      needs: NEEDS,
      path: `${issue}/${number}/comments?per_page=100`,
    })
  ) {
    const [id, text] = [at(comment, "id"), at(comment, "body")];
    if (typeof id !== "number" || typeof text !== "string") continue;
    if (at(comment, "user.login") !== author || !isMarked(text, marker)) continue;
    if (sameText(text, body)) return "unchanged";
    await api.json({
      what: "update the comment on the pull request",
      needs: NEEDS,
      method: "PATCH",
      path: `${issue}/comments/${id}`,
      body: { body },
    });
    return "updated";
  }
  await api.json({
    what: "comment on the pull request",
    needs: NEEDS,
    method: "POST",
    path: `${issue}/${number}/comments`,
    body: { body },
  });
  return "created";
}

/**
 * Returns the login of the token's owner. A job's token belongs to an app, which REST's `/user` refuses.
 * GraphQL names apps (`github-actions[bot]`) and people.
 * https://docs.github.com/en/graphql/reference/queries#viewer
 */
async function authorOf(api: Api): Promise<string> {
  const response = await api.graphql({
    what: "find the token's owner",
    needs: NEEDS,
    query: "query { viewer { login } }",
  });
  const login = at(response, "data.viewer.login");
  if (typeof login === "string" && login !== "") return login;
  throw new Failure(
    "Cannot find the token's owner: GitHub names none; set the input token to a valid one",
  );
}

/**
 * Returns whether the last line of a comment is the marker. Accepts other line ends and trailing
 * space, because GitHub changes both.
 */
function isMarked(text: string, marker: string): boolean {
  return text.trimEnd().split(/\r?\n/).at(-1) === marker;
}

function sameText(one: string, other: string): boolean {
  return one.replaceAll("\r\n", "\n").trimEnd() === other.trimEnd();
}

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

/**
 * Comments on the pull request of a run. The number of the pull request comes from GitHub: the
 * artifact may be forged.
 *
 * @returns 0
 * @throws {Failure} if GitHub refuses the comment.
 * @throws {UsageError} if the artifact is not a report.
 */
export async function commentForFork(
  event: WorkflowRunEvent,
  inputs: Inputs,
  world: ActionContext,
): Promise<number> {
  const nothing = (why: string): number => {
    tell(world, "notice", `Nothing to comment on: ${why}`);
    return FINE;
  };
  if (event.cause !== "pull_request") return nothing(`the run was one of ${event.cause}`);
  const api = new Api(world, inputs.token);
  const number = await pullRequestOf(api, event);
  if (number === null) return nothing("no open pull request has the commit that was measured");
  const name = artifactOf(inputs.id);
  const report = await reportOfRun(api, event.runId, name, world.timeoutMs);
  if (report === null) return nothing(`the run has left no artifact ${name}`);
  const marker = markerOf(inputs.id);
  const body = commentBody(report, {
    failOn: shareOf(inputs.failOn),
    headSha: event.headSha,
    runUrl: runUrl(world, String(event.runId)),
    isFork: event.isFork,
    marker,
  });
  await setOutputs(world, { verdict: verdictOf(report), report: "", markdown: "" });
  const outcome = await putComment(api, number, body, marker);
  world.say(`Comment on pull request ${number} ${outcome}`);
  return FINE;
}

/**
 * Returns the number of the open pull request with the measured commit as its newest; null if there is
 * none.
 *
 * The event's list of pull requests cannot be used, because it is empty for forks.
 * https://docs.github.com/en/rest/pulls/pulls#list-pull-requests
 *
 * @throws {Failure} if there are several, because the measured one is then unknown.
 */
async function pullRequestOf(api: Api, event: WorkflowRunEvent): Promise<number | null> {
  const head = encodeURIComponent(`${event.headOwner}:${event.headBranch}`);
  const found: number[] = [];
  for await (
    const pull of api.pages({
      what: "find the pull request",
      needs: "pull-requests: write",
      path: `/repos/${api.repository}/pulls?state=open&head=${head}&per_page=100`,
    })
  ) {
    const number = at(pull, "number");
    const isOne = at(pull, "head.sha") === event.headSha &&
      at(pull, "head.repo.full_name") === event.headRepository &&
      at(pull, "base.repo.full_name") === api.repository;
    if (isOne && typeof number === "number") found.push(number);
  }
  if (found.length > 1) {
    throw new Failure(
      `Cannot tell which pull request was measured: ${found.join(" and ")} have the same commit`,
    );
  }
  return found[0] ?? null;
}
