/**
 * On `workflow_run`: comments on a fork's pull request with the results of the fork's run. Does not
 * run the fork's code.
 */
import { Failure } from "../model/errors.ts";
import { FINE } from "../model/exit_codes.ts";
import { Api } from "./api.ts";
import { artifactOf, reportOfRun } from "./artifact.ts";
import { markerOf, putComment } from "./comment.ts";
import { commentBody, verdictOf } from "./comment_body.ts";
import { setOutputs, tell } from "./commands.ts";
import { at, type WorkflowRunEvent } from "./event.ts";
import { type Inputs, shareOf } from "./inputs.ts";
import { runUrl } from "./workspace.ts";
import type { ActionContext } from "./action_context.ts";

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
