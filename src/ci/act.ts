/**
 * Runs the action for the event that triggered it. On `push`, `schedule` and `workflow_dispatch`:
 * measures a branch, and keeps reports of the default branch. On `pull_request`: compares base and
 * head, and comments. On `workflow_run`: comments on a fork's pull request.
 */
import { join } from "node:path";
import { type Thresholds, thresholdsOf } from "../model/costs.ts";
import type { Changes } from "../model/derived.ts";
import { FAILED, Failure, FINE, messageOf, UsageError, WRONG_USAGE } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { readReport } from "../results/read_report.ts";
import { fileName } from "../results/store.ts";
import { notesOfVersus } from "../view/changes_text.ts";
import { countsLines, describeCount } from "../view/counts_text.ts";
import { describeFunction, functionsLines, provenOf } from "../view/functions_text.ts";
import { markdownTable, markdownText } from "../view/markdown.ts";
import { gateNotes } from "../view/gate_notes.ts";
import { changesNotes } from "../view/tables/changes_notes.ts";
import { changesTable } from "../view/tables/changes_table.ts";
import { changesVerdict } from "../view/tables/changes_verdict.ts";
import { Api, artifactOf, REPORT_FILE, reportOfRun } from "./api.ts";
import { addToHistory, baseOf, checkoutOf, repositoryUrl } from "./git.ts";
import {
  type ActionContext,
  at,
  type EventOf,
  type Inputs,
  readEvent,
  readInputs,
  setOutputs,
  tell,
} from "./runner.ts";

/** Runs the action; returns the exit code of `stampede`, 2 for wrong usage, or 1 for a failure. */
export async function act(world: ActionContext): Promise<number> {
  try {
    const inputs = readInputs(world);
    const event = await readEvent(world);
    switch (event.kind) {
      case "pull_request":
        return await measurePullRequest(event, inputs, world);
      case "workflow_run":
        return await commentForFork(event, inputs, world);
      case "branch":
        return await measureBranch(event, inputs, world);
    }
  } catch (error) {
    tell(world, "error", messageOf(error));
    return error instanceof UsageError ? WRONG_USAGE : FAILED;
  }
}

/** A report with failures is not kept, because missing results would leave a gap in the history. */
async function measureBranch(
  { ref, defaultBranch, isDeleted }: EventOf<"branch">,
  inputs: Inputs,
  world: ActionContext,
): Promise<number> {
  const { historyBranch: branch } = inputs;
  if (isDeleted || (branch !== "" && ref === `refs/heads/${branch}`)) {
    tell(world, "notice", `Nothing to measure: ${ref} is deleted, or holds the history`);
    return FINE;
  }
  const { code, path, outputs } = await bench(["run", ...argumentsOf(inputs)], inputs, world);
  await setOutputs(world, outputs);
  if (code !== FINE || branch === "") return code;
  if (ref !== `refs/heads/${defaultBranch ?? ref.replace("refs/heads/", "")}`) {
    tell(world, "notice", `Not kept: ${ref} is not the default branch`);
    return code;
  }
  const name = fileName(await readReport(path));
  const message = `Report of ${world.env("GITHUB_SHA").slice(0, 12) || ref}`;
  await addToHistory({ ...inputs, path, name, message }, world);
  world.say(`The report is in results/ of the branch ${branch}, the site in site/`);
  return code;
}

/** A failed comment does not change the exit code. */
async function measurePullRequest(
  event: EventOf<"pull_request">,
  inputs: Inputs,
  world: ActionContext,
): Promise<number> {
  const words = argumentsOf(inputs);
  const base = await baseOf(event, inputs, world);
  const gate = inputs.failOn === "" ? [] : ["--fail-on", inputs.failOn];
  const args = ["versus", "--base", base, ...gate, ...words];
  const { code, outputs } = await bench(args, inputs, world);
  const report = await reportOrNull(outputs.report, world);
  const kept = report === null ? { verdict: "", report: "" } : { verdict: verdictOf(report) };
  await setOutputs(world, { ...outputs, ...kept });
  if (!inputs.hasComment) return code;
  if (event.isFork) {
    const why = "The pull request comes from a fork, so this run may not comment";
    tell(world, "notice", `${why}: use a second workflow on workflow_run`);
    return code;
  }
  try {
    const context = contextOf(event, inputs, world);
    const body = report === null ? failureBody(context) : commentBody(report, context);
    const api = new Api(world, inputs.token);
    world.say(`Comment ${await putComment(api, event.number, body, context.marker)}`);
  } catch (error) {
    tell(world, "warning", messageOf(error));
  }
  return code;
}

/** Does not run the fork's code. Only GitHub names the pull request, because the artifact may be forged. */
async function commentForFork(
  event: EventOf<"workflow_run">,
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
  if (report === null && !event.hasFailed) return nothing(`the run has left no artifact ${name}`);
  const context = contextOf(event, inputs, world, String(event.runId));
  const body = report === null ? failureBody(context) : commentBody(report, context);
  const verdict = report === null ? "" : verdictOf(report);
  await setOutputs(world, { verdict, report: "", markdown: "" });
  const outcome = await putComment(api, number, body, context.marker);
  world.say(`Comment on pull request ${number} ${outcome}`);
  return FINE;
}

/**
 * Returns the number of the open pull request with the measured commit; null if there is none. The
 * event's list of pull requests is empty for forks.
 * https://docs.github.com/en/rest/pulls/pulls#list-pull-requests
 */
async function pullRequestOf(api: Api, event: EventOf<"workflow_run">): Promise<number | null> {
  const head = encodeURIComponent(`${event.headOwner}:${event.headBranch}`);
  const pulls = await Array.fromAsync(api.pages({
    what: "find the pull request",
    path: `/repos/${api.repository}/pulls?state=open&head=${head}&per_page=100`,
  }));
  const found = pulls.filter((pull) =>
    at(pull, "head.sha") === event.headSha &&
    at(pull, "head.repo.full_name") === event.headRepository &&
    at(pull, "base.repo.full_name") === api.repository
  ).map((pull) => at(pull, "number")).filter((number) => typeof number === "number");
  if (found.length > 1) {
    throw new Failure(
      `Cannot tell which pull request was measured: ${found.join(" and ")} have the same commit`,
    );
  }
  return found[0] ?? null;
}

async function reportOrNull(path: string, world: ActionContext): Promise<Report | null> {
  if (path === "") return null;
  try {
    const report = await readReport(path);
    return report.kind === "run" && report.changes !== null ? report : null;
  } catch (error) {
    tell(world, "warning", messageOf(error));
    return null;
  }
}

function argumentsOf({ server, scenarioFiles, scenarios, args }: Inputs): string[] {
  if (server === "") {
    throw new UsageError("Nothing to measure: set the input server to the manifest of a server");
  }
  const files = scenarioFiles.flatMap((file) => ["--scenario", file]);
  return [...scenarios, "--server", server, ...files, ...args];
}

async function bench(
  args: readonly string[],
  { id, timeoutMs }: Inputs,
  world: ActionContext,
): Promise<
  { code: number; path: string; outputs: { verdict: string; report: string; markdown: string } }
> {
  const dir = world.env("RUNNER_TEMP");
  const prefix = `stampede-${id}-`;
  const folder = await Deno.makeTempDir({ prefix, ...(dir !== "" && { dir }) });
  const [report, markdown] = [join(folder, REPORT_FILE), join(folder, "report.md")];
  const words = [...args, "--markdown", markdown, "--out", report];
  const code = await world.bench(words, checkoutOf(world), timeoutMs);
  const known = async (path: string): Promise<string> =>
    await Deno.stat(path).then(({ isFile }) => isFile, () => false) ? path : "";
  const outputs = { verdict: "", report: await known(report), markdown: await known(markdown) };
  return { code, path: report, outputs };
}

/**
 * Creates or updates the comment: only one of the token's own user with the marker as its last line.
 * Apps may edit all comments, and anyone can quote a marker. Throws a {@linkcode Failure}.
 */
export async function putComment(
  api: Api,
  number: number,
  body: string,
  marker: string,
): Promise<"created" | "updated" | "unchanged"> {
  const author = await authorOf(api);
  const issues = `/repos/${api.repository}/issues`;
  const write = (what: string, method: "POST" | "PATCH", path: string): Promise<unknown> =>
    api.json({ what, method, path, body: { body } });
  const comments = api.pages({
    what: "read the comments of the pull request",
    path: `${issues}/${number}/comments?per_page=100`,
  });
  for await (const comment of comments) {
    const [id, text] = [at(comment, "id"), at(comment, "body")];
    if (typeof id !== "number" || typeof text !== "string") continue;
    // GitHub changes line ends and trailing space
    const known = text.replaceAll("\r\n", "\n").trimEnd();
    if (at(comment, "user.login") !== author || known.split("\n").at(-1) !== marker) continue;
    if (known === body.trimEnd()) return "unchanged";
    await write("update the comment on the pull request", "PATCH", `${issues}/comments/${id}`);
    return "updated";
  }
  await write("comment on the pull request", "POST", `${issues}/${number}/comments`);
  return "created";
}

/**
 * Returns the login of the token's owner: REST's `/user` refuses apps, to which a job's token belongs.
 * https://docs.github.com/en/graphql/reference/queries#viewer
 */
async function authorOf(api: Api): Promise<string> {
  const response = await api.graphql("find the token's owner", "query { viewer { login } }");
  const login = at(response, "data.viewer.login");
  if (typeof login === "string" && login !== "") return login;
  throw new Failure(
    "Cannot find the token's owner: GitHub names none; set the input token to a valid one",
  );
}

/** GitHub's limit for a comment: "body is too long (maximum is 65536 characters)". */
const MOST_CHARACTERS = 65_536;
/** Maximum length of a sentence before escaping, which makes it at most eight times longer. */
const LONGEST_SENTENCE = 1000;
const FOOT_CHARACTERS = 2000;

interface CommentContext extends Pick<EventOf<"pull_request">, "headSha" | "isFork"> {
  readonly thresholds: Thresholds;
  readonly runUrl: string;
  /** The hidden last line, which identifies the comment. */
  readonly marker: string;
}

/** Returns the facts about the measurement of an event by a run, which come from GitHub. */
function contextOf(
  { headSha, isFork }: Pick<EventOf<"pull_request">, "headSha" | "isFork">,
  { thresholds, id }: Inputs,
  world: ActionContext,
  runId = world.env("GITHUB_RUN_ID"),
): CommentContext {
  const runUrl = `${repositoryUrl(world)}/actions/runs/${runId}`;
  return { thresholds, headSha, runUrl, isFork, marker: `<!-- stampede: ${id} -->` };
}

/** Returns the outcome of a comparison; throws a {@linkcode UsageError} for another report. */
export function verdictOf(report: Report): string {
  return changesVerdict(changesOf(report), thresholdsOf(report.experiment.design));
}

/**
 * Returns the comment for a report of `stampede versus`; throws a {@linkcode UsageError} for another one.
 * All text of the report is escaped. Lines that exceed GitHub's limit are left out.
 */
export function commentBody(report: Report, context: CommentContext): string {
  const changes = changesOf(report);
  const gate = gateNotes(changes, { ...context.thresholds, strict: false });
  const failures = gate.filter((note) => /^(Broken|Proven)/.test(note));
  const stated = [...new Set([...failures, ...gate])].slice(0, 4); // failures come first
  const head = [
    `### ${sentence(changesVerdict(changes, context.thresholds))}`,
    "",
    ...stated.flatMap((note) => [sentence(note), ""]),
  ];
  const notes = [
    ...functionsLines(changes),
    ...countsLines(changes),
    ...changesNotes(changes),
    ...notesOfVersus(report),
  ];
  const details = [
    ...causes(changes),
    "<details><summary>All figures, and how they were measured</summary>",
    "",
    markdownTable(changesTable(changes)),
    "",
    ...notes.map((note) => `- ${markdownText(note)}`),
  ].flatMap((part) => part.split("\n"));
  let room = MOST_CHARACTERS - FOOT_CHARACTERS - `${head.join("\n")}\n`.length;
  const end = details.findIndex((line) => (room -= line.length + 1) < 0);
  const shown = details.slice(0, end < 0 ? details.length : end);
  const isFolded = shown.some((line) => line.startsWith("<details>"));
  const fold = isFolded ? ["", "</details>"] : [];
  const rest = end < 0 ? [] : ["", "The rest is too long for a comment."];
  return withFoot([...head, ...shown, ...fold, ...rest], context);
}

/** Most counts and functions that a comment names outside of its fold: it has at most 15 lines. */
const NAMED = 3;

/** Returns the counts that differ and the functions that changed, as items of a list. */
function causes({ counts, functions }: Changes): string[] {
  const ofCounts = (counts?.changes ?? []).slice(0, NAMED)
    .map((change) => `${change.scenario}: ${describeCount(change)}`);
  const ofFunctions = functions.flatMap((one) =>
    provenOf(one).map((change) => `${one.scenario}: ${describeFunction(change)}`)
  ).slice(0, NAMED);
  const items = [...ofCounts, ...ofFunctions].map((text) => `- ${sentence(text)}`);
  return items.length === 0 ? [] : [...items, ""];
}

/** Returns the comment for a commit that could not be measured; an older verdict would mislead. */
export function failureBody({ headSha, runUrl, marker }: CommentContext): string {
  const why = `The log of [the run](${runUrl}) says why ${headSha} has no figures.`;
  return ["### Not measured: the run failed.", "", why, "", marker].join("\n");
}

function withFoot(
  lines: readonly string[],
  { headSha, runUrl, isFork, marker }: CommentContext,
): string {
  const doubt = "The figures come from the fork's own run, so only the fork vouches for them.";
  const measured = `Stampede measured ${headSha}: [the run](${runUrl}).`;
  return [...lines, "", measured, ...(isFork ? [doubt] : []), "", marker].join("\n");
}

function changesOf({ changes }: Report): Changes {
  if (changes !== null) return changes;
  throw new UsageError(
    "Cannot comment on the report: it is not a complete report of stampede versus",
  );
}

/** Returns a sentence as Markdown. It is cut before escaping, so that no escape sequence is cut. */
function sentence(text: string): string {
  if (text.length <= LONGEST_SENTENCE) return markdownText(text);
  return markdownText(`${text.slice(0, LONGEST_SENTENCE).toWellFormed()} …`);
}
