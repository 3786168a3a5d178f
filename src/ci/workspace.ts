/** Files of a run of the action. */
import { join } from "node:path";
import { UsageError } from "../model/errors.ts";
import { INPUT_NAMES, type Inputs } from "./inputs.ts";
import { type ActionContext, variable } from "./action_context.ts";

/** The folders and files of one run of the action. */
export interface Workspace {
  /** Path of the checkout. */
  readonly checkout: string;
  /** Path of the report. In the artifact it has the same file name. */
  readonly report: string;
  /** Path of the report as Markdown. */
  readonly markdown: string;
}

/** Makes a temporary folder for this run and id, and returns the paths in it. */
export async function makeWorkspace(world: ActionContext, { id }: Inputs): Promise<Workspace> {
  const parent = variable(world, "RUNNER_TEMP") || undefined;
  const folder = await Deno.makeTempDir({
    prefix: `stampede-${id}-`,
    ...(parent !== undefined && { dir: parent }),
  });
  return {
    checkout: variable(world, "GITHUB_WORKSPACE") || Deno.cwd(),
    report: join(folder, "report.json"),
    markdown: join(folder, "report.md"),
  };
}

/**
 * Returns the arguments of `bench`: the measured server and scenarios, the user's own arguments, and the
 * outputs.
 *
 * @throws {UsageError} if no server is named.
 */
export function argumentsOf(inputs: Inputs, { report, markdown }: Workspace): string[] {
  const { server, scenarioFiles, scenarios, args } = inputs;
  if (server === "") {
    throw new UsageError(
      `Nothing to measure: set the input ${INPUT_NAMES[0]} to the manifest of a server`,
    );
  }
  return [
    ...scenarios,
    "--server",
    server,
    ...scenarioFiles.flatMap((file) => ["--scenario", file]),
    ...args,
    "--markdown",
    markdown,
    "--out",
    report,
  ];
}

/** Returns whether a file exists. */
export function exists(path: string): Promise<boolean> {
  return Deno.stat(path).then(({ isFile }) => isFile, () => false);
}

/** Returns the address of a run's page on GitHub, by default of this run. */
export function runUrl(world: ActionContext, runId = variable(world, "GITHUB_RUN_ID")): string {
  const server = variable(world, "GITHUB_SERVER_URL") || "https://github.com";
  return `${server}/${variable(world, "GITHUB_REPOSITORY")}/actions/runs/${runId}`;
}
