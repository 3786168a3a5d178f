/** A person's repository on a GitHub that the test owns, and runs of its workflows in act. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { strToU8, zipSync } from "fflate";
import { parse } from "yaml";
import { build } from "../package/build.ts";
import { artifactOf, REPORT_FILE } from "../src/ci/api.ts";
import { git, gitServer } from "../src/ci/ci_testdata.ts";
import { type Run, runWorkflow } from "./act.ts";
import { Sandbox } from "./bench.ts";
import { GitHub, type Permissions, REPOSITORY } from "./github.ts";
import { GitHubDescription } from "./github_description.ts";
import { loginVariables, Registry } from "./npm.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [UPLOAD = ""] = /(?<=uses: )actions\/upload-artifact@\w+/
  .exec(await Deno.readTextFile(`${ROOT}action.yml`)) ?? [];
/** A folder of actions/upload-artifact, with `dist/`. Without it the tests store the report themselves. */
export const UPLOAD_FOLDER = Deno.env.get("STAMPEDE_TEST_UPLOAD_ARTIFACT");
/** Replaces actions/upload-artifact: copies the file. */
const STAND_IN = `name: Stand-in
description: Copies a file
inputs: { name: { required: true }, path: { required: true }, overwrite: { required: true } }
runs:
  using: composite
  steps:
    - shell: bash
      env: { NAME: "\${{ inputs.name }}", FILE: "\${{ inputs.path }}" }
      run: cp "$FILE" "$STAND_IN/$NAME.json"
`;

const SERVER = `import { createServer } from "node:http";
createServer((_request, response) => {
  for (const end = performance.now() + BUSY_MS; performance.now() < end;);
  response.end("hello");
}).listen(Number(process.env.PORT), process.env.HOST);
`;
/** Run of the pull request's workflow, as in the event of {@linkcode workflowRunPayload}. */
export const RUN_ID = 99;
export const ARTIFACT = artifactOf("stampede");

/** Folder of the repositories on GitHub. */
const REPOSITORIES = "git";

interface Project {
  /** Path of the bare repository. */
  readonly repository: string;
  /** The workflow that `stampede init` wrote. */
  readonly workflow: string;
  readonly commits: Commits;
}
interface Commits {
  /** The target branch when the pull request was opened. */
  readonly base: string;
  readonly head: string;
  /** The head after a second push. */
  readonly next: string;
  /** The target branch now. */
  readonly main: string;
}
interface Trigger {
  readonly name: string;
  /** Name of the event in GitHub's description. */
  readonly described: string;
  readonly payload: object;
  /** What actions/checkout checks out: a ref without `refs/`. */
  readonly ref: string;
  readonly runId?: number;
  /** Whether the token may write. That of a fork's run may not. */
  readonly mayWrite?: boolean;
}

/** A person's repository on GitHub. */
export class World implements AsyncDisposable {
  #runs = 0;

  private constructor(
    readonly folder: string,
    readonly registry: Registry,
    readonly description: GitHubDescription,
    readonly github: GitHub,
    readonly project: Project,
    readonly resources: AsyncDisposableStack,
  ) {}

  static async create(): Promise<World> {
    await using resources = new AsyncDisposableStack();
    const sandbox = resources.use(await Sandbox.create());
    const { folder } = sandbox;
    for (const name of ["home", "stored", "upload"]) await Deno.mkdir(`${folder}/${name}`);
    await Deno.writeTextFile(`${folder}/upload/action.yml`, STAND_IN);
    const description = await GitHubDescription.fetch(folder);
    const registry = resources.use(await Registry.start(await build(folder)));
    const project = await pushProject(sandbox);
    const github = resources.use(new GitHub(description, `${folder}/${REPOSITORIES}`));
    return new World(folder, registry, description, github, project, resources.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.resources[Symbol.asyncDispose]();
  }

  /** Runs a workflow with the permissions that it asks for. */
  async run(
    workflow: string,
    { name, described, payload, ref, runId = RUN_ID, mayWrite = true }: Trigger,
  ): Promise<Run> {
    const { github, folder } = this;
    deepStrictEqual(this.description.eventProblems(described, payload), []);
    const asked: Permissions = parse(workflow).permissions;
    github.permissions = mayWrite
      ? asked
      : Object.fromEntries(Object.keys(asked).map((name) => [name, "read"]));
    const number = ++this.#runs;
    const project = `${folder}/checkout-${number}`;
    github.asked = [];
    github.problems = [];
    await checkOut(project, ref, github);
    return await runWorkflow({
      folder: `${folder}/run-${number}`,
      project,
      workflow,
      event: { name, payload },
      runId,
      token: github.token,
      actions: { [UPLOAD]: UPLOAD_FOLDER ?? `${folder}/upload` },
      env: {
        ...loginVariables(folder),
        NPM_CONFIG_REGISTRY: this.registry.url,
        GITHUB_API_URL: github.apiUrl,
        GITHUB_GRAPHQL_URL: `${github.apiUrl}/graphql`,
        GITHUB_SERVER_URL: github.serverUrl,
        GITHUB_REPOSITORY: REPOSITORY,
        STAND_IN: `${folder}/stored`,
      },
    });
  }

  /** Returns the artifact of a run, as GitHub stores it. */
  async zipOf({ artifacts }: Run): Promise<Uint8Array<ArrayBuffer>> {
    if (UPLOAD_FOLDER) return await Deno.readFile(`${artifacts}/${ARTIFACT}/${ARTIFACT}.zip`);
    const text = await Deno.readTextFile(`${this.folder}/stored/${ARTIFACT}.json`);
    return new Uint8Array(zipSync({ [REPORT_FILE]: strToU8(text) }));
  }
}

/** Makes a project with `stampede init` and a slower branch, and pushes it with GitHub's merge. */
async function pushProject(sandbox: Sandbox): Promise<Project> {
  const { repository } = await gitServer(`${sandbox.folder}/${REPOSITORIES}`);
  const shop = `${sandbox.folder}/shop`;
  await Deno.mkdir(shop);
  const commit = async (message: string, file: string, text: string): Promise<string> => {
    await Deno.writeTextFile(`${shop}/${file}`, text);
    await git(shop, "add", "--all");
    await git(shop, "commit", "--quiet", "--message", message);
    return await git(shop, "rev-parse", "HEAD");
  };
  await git(shop, "init", "--quiet", "--initial-branch", "main");
  await Deno.writeTextFile(`${shop}/index.js`, SERVER.replace("BUSY_MS", "0"));
  const manifest = { name: "shop", type: "module", scripts: { start: "node index.js" } };
  await Deno.writeTextFile(`${shop}/package.json`, JSON.stringify(manifest));
  const { code, stderr } = await sandbox.tell(["init", "shop"]);
  strictEqual(code, 0, stderr);
  const base = await commit("First", "README.md", "A shop");
  await git(shop, "checkout", "--quiet", "-b", "quicker");
  const head = await commit("Quicker", "index.js", SERVER.replace("BUSY_MS", "0.3"));
  const next = await commit("Documented", "CHANGELOG.md", "Quicker");
  await git(shop, "checkout", "--quiet", "main");
  const main = await commit("More", "README.md", "A shop, and more");
  await git(shop, "push", "--quiet", repository, "main:refs/heads/main");
  for (const [ref, commit] of [["merge", head], ["next", next]] as const) {
    await git(shop, "checkout", "--quiet", "--detach", main);
    await git(shop, "merge", "--quiet", "--no-ff", "--message", "Merge", commit);
    await git(shop, "push", "--quiet", repository, `HEAD:refs/pull/7/${ref}`);
  }
  const workflow = await Deno.readTextFile(`${shop}/.github/workflows/stampede.yml`);
  return { repository, workflow, commits: { base, head, next, main } };
}

/** Checks a ref out as actions/checkout does: without history, and with the job's token. */
async function checkOut(folder: string, ref: string, { serverUrl, token }: GitHub): Promise<void> {
  await Deno.mkdir(folder);
  const header = `AUTHORIZATION: basic ${btoa(`x-access-token:${token}`)}`;
  await git(folder, "init", "--quiet");
  await git(folder, "remote", "add", "origin", `${serverUrl}/${REPOSITORY}`);
  await git(folder, "config", `http.${serverUrl}/.extraheader`, header);
  const local = `refs/remotes/${ref.replace("heads", "origin")}`;
  await git(folder, "fetch", "--quiet", "--depth", "1", "origin", `+refs/${ref}:${local}`);
  await git(folder, "checkout", "--quiet", "--force", local);
}
