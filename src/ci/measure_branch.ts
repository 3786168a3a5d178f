/**
 * On `push`, `schedule` and `workflow_dispatch`: measures a branch, and keeps reports of the default branch.
 */
import { basename } from "node:path";
import { readReport } from "../results/read_report.ts";
import { defaultPath } from "../results/store.ts";
import { setOutputs, tell } from "./commands.ts";
import type { BranchEvent } from "./event.ts";
import { addToHistory } from "./history_branch.ts";
import type { Inputs } from "./inputs.ts";
import { argumentsOf, exists, makeWorkspace } from "./workspace.ts";
import { type ActionContext, variable } from "./action_context.ts";
import { FINE } from "../model/exit_codes.ts";

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
