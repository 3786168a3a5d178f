/**
 * Runs the action for the event that triggered it. On `push`, `schedule` and `workflow_dispatch`:
 * measures a branch, and keeps reports of the default branch. On `pull_request`: compares base and
 * head, and comments. On `workflow_run`: comments on a fork's pull request.
 */
import { basename, join } from "node:path";
import { FAILED, FINE, messageOf, UsageError, WRONG_USAGE } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { readReport } from "../results/read_report.ts";
import { defaultPath } from "../results/store.ts";
import { Api, REPORT_FILE } from "./api.ts";
import {
  commentBody,
  commentForFork,
  contextOf,
  failureBody,
  putComment,
  verdictOf,
} from "./comment.ts";
import { addToHistory, baseOf } from "./git.ts";
import {
  type ActionContext,
  type EventOf,
  type Inputs,
  readEvent,
  readInputs,
  setOutputs,
  tell,
} from "./runner.ts";

/** Runs the action; returns the exit code of `bench`, 2 for wrong usage, or 1 for a failure. */
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
  const { createdAt, id } = await readReport(path);
  const name = basename(defaultPath(createdAt, id));
  const message = `Report of ${world.env("GITHUB_SHA").slice(0, 12) || ref}`;
  await addToHistory({ ...inputs, report: path, name, message }, world);
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
  const place = { manifest: inputs.server, workspace: checkoutOf(world), token: inputs.token };
  const base = await baseOf(event, place, world);
  const gate = inputs.failOn === "" ? [] : ["--fail-on", inputs.failOn];
  const args = ["versus", "--base", base, ...gate, ...words];
  const { code, outputs } = await bench(args, inputs, world);
  const report = await reportOrNull(outputs.report, world);
  const kept = report === null ? { verdict: "", report: "" } : { verdict: verdictOf(report) };
  await setOutputs(world, { ...outputs, ...kept });
  if (!inputs.hasComment) return code;
  if (event.isFork) {
    const why =
      "The pull request comes from a fork, so this run may not comment: use a second workflow on workflow_run";
    tell(world, "notice", why);
    return code;
  }
  try {
    const context = contextOf(event, inputs, world);
    const body = report === null ? failureBody(code, context) : commentBody(report, context);
    const api = new Api(world, inputs.token);
    world.say(`Comment ${await putComment(api, event.number, body, context.marker)}`);
  } catch (error) {
    tell(world, "warning", messageOf(error));
  }
  return code;
}

/** Reads the report of a comparison; null if the path is empty, or after a warning. */
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

function checkoutOf(world: ActionContext): string {
  return world.env("GITHUB_WORKSPACE") || Deno.cwd();
}
