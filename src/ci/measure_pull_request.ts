/** On `pull_request`: compares base and head, and comments on the pull request. */
import { messageOf } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { readReport } from "../results/read_report.ts";
import { Api } from "./api.ts";
import { baseOf } from "./base.ts";
import { markerOf, putComment } from "./comment.ts";
import { commentBody, type CommentContext, failureBody, verdictOf } from "./comment_body.ts";
import { setOutputs, tell } from "./commands.ts";
import type { PullRequestEvent } from "./event.ts";
import { type Inputs, shareOf } from "./inputs.ts";
import { argumentsOf, exists, makeWorkspace, runUrl } from "./workspace.ts";
import type { ActionContext } from "./action_context.ts";

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
