/** Runs the action for the event that triggered it. */
import { messageOf, UsageError } from "../model/errors.ts";
import { FAILED, WRONG_USAGE } from "../model/exit_codes.ts";
import { commentForFork } from "./comment_for_fork.ts";
import { tell } from "./commands.ts";
import { readEvent } from "./event.ts";
import { readInputs } from "./inputs.ts";
import { measureBranch } from "./measure_branch.ts";
import { measurePullRequest } from "./measure_pull_request.ts";
import type { ActionContext } from "./action_context.ts";

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
