/** Where files lie while the action runs. */
import { join } from "node:path";
import { UsageError } from "../model/errors.ts";
import { INPUT_NAMES, type Inputs } from "./inputs.ts";
import { type ActionContext, variable } from "./action_context.ts";

/** The folders and files of one run of the action. */
export interface Workspace {
  /** The checkout. */
  readonly checkout: string;
  /** The report, as the artifact holds it. */
  readonly report: string;
  readonly markdown: string;
}

/** Makes a folder of this run and of this id alone. */
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
 * The arguments that say what is measured, and then what is written; the person's own come between.
 *
 * @throws {UsageError} if no server is named.
 */
export function argumentsOf(inputs: Inputs, { report, markdown }: Workspace): string[] {
  const { server, scenarioFiles, scenarios, args } = inputs;
  if (server === "") {
    throw new UsageError(
      `Cannot tell what to measure: give the input ${INPUT_NAMES[0]}, the manifest of a server`,
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

/** Whether there is a file. */
export function exists(path: string): Promise<boolean> {
  return Deno.stat(path).then(({ isFile }) => isFile, () => false);
}

/** The address of this run for people. */
export function runUrl(world: ActionContext, runId = variable(world, "GITHUB_RUN_ID")): string {
  const server = variable(world, "GITHUB_SERVER_URL") || "https://github.com";
  return `${server}/${variable(world, "GITHUB_REPOSITORY")}/actions/runs/${runId}`;
}
