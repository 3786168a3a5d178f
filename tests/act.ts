/** Runs workflows by act, a runner for GitHub's workflows, on this machine: https://nektosact.com */
import { at } from "../src/ci/runner.ts";

/** Returns whether act is installed. A missing program throws at once. */
export async function hasAct(): Promise<boolean> {
  return await Promise.try(() => new Deno.Command("act", { args: ["--version"] }).output())
    .then(({ success }) => success, () => false);
}

/** A run of a workflow. */
export interface Run {
  /** The job's log. */
  readonly log: string;
  readonly hasSucceeded: boolean;
  /** Outputs of the last step that set any. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Text of the job's summary, in Markdown. */
  readonly summary: string;
  /** Folder with the artifacts of the run, as `NAME/NAME.zip`. */
  readonly artifacts: string;
}

/** Runs the jobs of a workflow in the checkout of a project. */
export async function runWorkflow(
  { folder, project, workflow, event, runId, token, actions, env }: {
    /** A new folder for the files of the run. */
    readonly folder: string;
    /** Folder of the checkout. act copies it to the workspace, instead of running actions/checkout. */
    readonly project: string;
    /** Text of the workflow. */
    readonly workflow: string;
    readonly event: { readonly name: string; readonly payload: object };
    readonly runId: number;
    readonly token: string;
    /** Folders of the actions that the workflow uses, by `OWNER/NAME@COMMIT`. */
    readonly actions: Readonly<Record<string, string>>;
    /** All environment variables of the job, and GitHub's, which act would set to others. */
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<Run> {
  await Deno.mkdir(folder);
  const files = { event: `${folder}/event.json`, workflow: `${folder}/workflow.yml` };
  await Deno.writeTextFile(files.event, JSON.stringify(event.payload));
  await Deno.writeTextFile(files.workflow, workflow);
  const artifacts = `${folder}/artifacts`;
  // act cannot list the artifacts of a run without a folder
  await Deno.mkdir(`${artifacts}/${runId}`, { recursive: true });
  const { stdout, stderr, success } = await new Deno.Command("act", {
    args: [
      event.name,
      ...["--eventpath", files.event, "--workflows", files.workflow],
      ...["--platform", "ubuntu-latest=-self-hosted", "--json", "--no-cache-server"],
      ...["--action-offline-mode", "--action-cache-path", `${folder}/actions`],
      ...["--artifact-server-path", artifacts, "--artifact-server-addr", "127.0.0.1"],
      ...["--artifact-server-port", String(freePort())],
      ...["--secret", `GITHUB_TOKEN=${token}`, "--env", `GITHUB_RUN_ID=${runId}`],
      ...Object.entries(env).filter(([name]) => name.startsWith("GITHUB_"))
        .flatMap(([name, value]) => ["--env", `${name}=${value}`]),
      ...Object.entries(actions).flatMap((
        [name, path],
      ) => ["--local-repository", `${name}=${path}`]),
    ],
    cwd: project,
    clearEnv: true,
    env: { ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  const errors = decoder.decode(stderr);
  const entries = decoder.decode(stdout).split("\n").flatMap(entryOf);
  const texts = (command: string, field: string): [name: string, text: string][] =>
    entries.filter((entry) => at(entry, "command") === command)
      .map((entry) => [String(at(entry, "name")), String(at(entry, field))]);
  return {
    log: entries.map((entry) => String(at(entry, "msg")).trimEnd()).join("\n") + errors,
    hasSucceeded: success,
    outputs: Object.fromEntries(texts("set-output", "arg")),
    summary: texts("summary", "content").map(([, text]) => text).join("\n"),
    artifacts: `${artifacts}/${runId}`,
  };
}

/** Parses a line of act's log. */
function entryOf(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return line === "" ? [] : [{ msg: line }];
  }
}

/** Returns a port that was free. act does not choose one itself. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
