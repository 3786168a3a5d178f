/**
 * Runs the action for the event that triggered it. On `push`, `schedule` and `workflow_dispatch`:
 * measures a branch, and keeps reports of the default branch. Finds the commit that a pull request
 * is compared with. On `pull_request`: compares base and head, and comments on the pull request.
 */

import { basename, dirname, resolve } from "node:path";
import { FAILED, FINE, messageOf, UsageError, WRONG_USAGE } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { readReport } from "../results/read_report.ts";
import { defaultPath } from "../results/store.ts";
import { Api } from "./api.ts";
import { setOutputs, tell } from "./commands.ts";
import {
  commentBody,
  type CommentContext,
  commentForFork,
  failureBody,
  markerOf,
  putComment,
  verdictOf,
} from "./comment.ts";
import {
  type ActionContext,
  type BranchEvent,
  type PullRequestEvent,
  readEvent,
  variable,
} from "./event.ts";
import { argumentsOf, exists, Git, makeWorkspace, repositoryUrl, runUrl } from "./git.ts";
import { addToHistory } from "./history_branch.ts";
import { type Inputs, readInputs, shareOf } from "./inputs.ts";

/**
 * Measures a branch. A report with failures is not kept, because missing results would leave a gap in
 * the history.
 *
 * @returns the exit code of `bench`
 * @throws {Failure} if the report cannot be kept.
 */
export async function measureBranch(
  event: BranchEvent,
  inputs: Inputs,
  world: ActionContext,
): Promise<number> {
  const { historyBranch: branch, keep, token } = inputs;
  if (event.isDeleted || (branch !== "" && event.ref === `refs/heads/${branch}`)) {
    tell(world, "notice", `Nothing to measure: ${event.ref} is deleted, or holds the history`);
    return FINE;
  }
  const place = await makeWorkspace(world, inputs);
  const code = await world.bench(
    ["run", ...argumentsOf(inputs, place)],
    place.checkout,
    inputs.timeoutMs,
  );
  const hasReport = await exists(place.report);
  await setOutputs(world, {
    verdict: "",
    report: hasReport ? place.report : "",
    markdown: await exists(place.markdown) ? place.markdown : "",
  });
  if (code !== FINE || branch === "") return code;
  if (event.ref !== `refs/heads/${event.defaultBranch ?? event.ref.replace("refs/heads/", "")}`) {
    tell(world, "notice", `Not kept: ${event.ref} is not the default branch`);
    return code;
  }
  const { createdAt, id } = await readReport(place.report);
  const commit = variable(world, "GITHUB_SHA");
  await addToHistory({
    branch,
    report: place.report,
    name: basename(defaultPath(createdAt, id)),
    keep,
    message: `Report of ${commit.slice(0, 12) || event.ref}`,
    token,
  }, world);
  world.say(`The report is in results/ of the branch ${branch}, the site in site/`);
  return code;
}

/**
 * Returns the commit to compare with.
 *
 * actions/checkout checks out a merge of the pull request and its base. That base may be newer than
 * the base in the event. The function then returns the first parent of the merge, so that newer
 * changes of the base do not count as the pull request's. If the checkout lacks the commit to compare
 * with, the function fetches that one commit.
 *
 * @param manifest path of the server's manifest in the checkout
 */
export async function baseOf(
  { baseSha, headSha }: PullRequestEvent,
  { manifest, workspace, token }: { manifest: string; workspace: string; token: string },
  world: ActionContext,
): Promise<string> {
  const path = resolve(workspace, manifest);
  const git = new Git(manifest.endsWith(".json") ? dirname(path) : path, world, token);
  // A shallow checkout hides its parents from other commands
  const commit = await git.try("cat-file", "commit", "HEAD");
  const [header = ""] = commit.stdout.split("\n\n");
  const parents = [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, sha = ""]) => sha);
  const base = parents.length === 2 && parents[1] === headSha ? parents[0] ?? baseSha : baseSha;
  const isThere = (await git.try("cat-file", "-e", `${base}^{commit}`)).code === 0;
  // If that fails, bench reports that the commit is missing
  if (!isThere) await git.try("fetch", "--quiet", "--depth", "1", repositoryUrl(world), base);
  return base;
}

/**
 * Measures a pull request. A failed comment does not change the exit code.
 *
 * @returns the exit code of `bench versus`
 */
export async function measurePullRequest(
  event: PullRequestEvent,
  inputs: Inputs,
  world: ActionContext,
): Promise<number> {
  const place = await makeWorkspace(world, inputs);
  const words = argumentsOf(inputs, place);
  const base = await baseOf(
    event,
    { manifest: inputs.server, workspace: place.checkout, token: inputs.token },
    world,
  );
  const gate = inputs.failOn === "" ? [] : ["--fail-on", inputs.failOn];
  const code = await world.bench(
    ["versus", "--base", base, ...gate, ...words],
    place.checkout,
    inputs.timeoutMs,
  );
  const report = await reportOrNull(place.report, world);
  await setOutputs(world, {
    verdict: report === null ? "" : verdictOf(report),
    report: report === null ? "" : place.report,
    markdown: await exists(place.markdown) ? place.markdown : "",
  });
  if (!inputs.hasComment) return code;
  if (event.isFork) {
    tell(
      world,
      "notice",
      "The pull request comes from a fork, so this run may not comment: use a second workflow on workflow_run",
    );
    return code;
  }
  const context: CommentContext = {
    failOn: shareOf(inputs.failOn),
    headSha: event.headSha,
    runUrl: runUrl(world),
    isFork: false,
    marker: markerOf(inputs.id),
  };
  try {
    const body = report === null ? failureBody(code, context) : commentBody(report, context);
    const api = new Api(world, inputs.token);
    world.say(`Comment ${await putComment(api, event.number, body, context.marker)}`);
  } catch (error) {
    tell(world, "warning", messageOf(error));
  }
  return code;
}

/** Returns the report at a path; null if it is missing, damaged, or without a comparison. */
async function reportOrNull(path: string, world: ActionContext): Promise<Report | null> {
  if (!await exists(path)) return null;
  try {
    const report = await readReport(path);
    return report.kind === "run" && report.changes !== null ? report : null;
  } catch (error) {
    tell(world, "warning", messageOf(error));
    return null;
  }
}

/**
 * Runs the part of the action that belongs to the event. An error becomes one line in the job's log.
 *
 * @returns the exit code: that of `bench` if it ran; else 2 for wrong usage, 1 for a failure
 */
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
