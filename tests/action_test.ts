/** Runs the action as a runner does: the steps of action.yml with an event, and a fake GitHub. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { artifactOf, REPORT_FILE } from "../src/ci/api.ts";
import {
  comment,
  git,
  GitHub,
  recorded,
  temporary,
  testWorld,
  VIEWER,
} from "../src/ci/ci_testdata.ts";
import { readInputs, variableOf } from "../src/ci/runner.ts";
import { filesOf } from "../src/cli/commands/init_command.ts";
import { SHOP } from "../src/project/project_testdata.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DENO = "deno@2.9.6";

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { description: string; default: string }>>;
  readonly outputs: Readonly<Record<string, { value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const ACTION: Action = parse(await Deno.readTextFile(`${ROOT}action.yml`));
const { version }: { version: string } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
const PAGE = await Deno.readTextFile(`${ROOT}docs/pull_requests.md`);

/** The action that `stampede init` writes, as workflows name it. */
const LOCAL = "./.github/actions/stampede";
/** The workflows in the documentation, in order. */
const workflows = [...PAGE.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = ""]) => text);

Deno.test("action.yml gives the program every input as a variable, and no text to the shell", () => {
  const [step, upload, ...others] = ACTION.runs.steps;
  strictEqual(ACTION.runs.using, "composite");
  deepStrictEqual(others, []);
  const inputs = Object.keys(ACTION.inputs);
  const read: string[] = [];
  readInputs({
    ...testWorld({}),
    env: (name) => {
      read.push(name);
      return "";
    },
  });
  deepStrictEqual(read.sort(), inputs.map(variableOf).sort());
  deepStrictEqual(
    step?.env,
    Object.fromEntries(inputs.map((name) => [variableOf(name), `\${{ inputs.${name} }}`])),
  );
  ok(!step?.run?.includes("${{"), "an expression in the command is text of others in a shell");
  for (const [name, { value }] of Object.entries(ACTION.outputs)) {
    strictEqual(value, `\${{ steps.${step?.id}.outputs.${name} }}`);
  }
  match(upload?.uses ?? "", /^actions\/upload-artifact@/); // supply_chain_test.ts checks the commit
  match(upload?.if ?? "", /^always\(\) && steps\.stampede\.outputs\.report != ''$/);
  strictEqual(upload?.with?.name, artifactOf("${{ inputs.id }}"));
  strictEqual(upload?.with?.path, "${{ steps.stampede.outputs.report }}");
});

Deno.test("the table of inputs is that of action.yml", () => {
  const [, section = ""] = /^## Inputs\n([^]*?)^## /m.exec(PAGE) ?? [];
  const rows = [...section.matchAll(/^\| `([^`]+)` +\| (.*?) +\| (.*?) +\|$/gm)]
    .map(([, ...cells]) => cells);
  deepStrictEqual(
    rows,
    Object.entries(ACTION.inputs).map(([name, { description, default: fallback }]) => [
      name,
      description,
      fallback === "" ? "empty" : `\`${fallback}\``,
    ]),
  );
});

Deno.test("the workflow of stampede init is the first of the documentation, and all use inputs that there are", () => {
  const textOf = (folder: string): string =>
    filesOf(SHOP).find(({ path }) => path.startsWith(`.github/${folder}`))?.text ?? "";
  const written = textOf("workflows");
  const [step, ...others]: readonly Step[] = parse(textOf("actions")).runs.steps;
  strictEqual(step?.run, `npx -y stampede-bench@${version} action`);
  deepStrictEqual([step?.env, ...others], [
    ACTION.runs.steps[0]?.env,
    ...ACTION.runs.steps.slice(1),
  ]);
  strictEqual(workflows[0], written);
  ok(written.trim().split("\n").length <= 10, "the first one is ten lines");
  strictEqual(workflows.length, 3);
  for (const text of workflows) {
    const { jobs } = parse(text) as { jobs: Record<string, { steps: readonly Step[] }> };
    const steps = Object.values(jobs).flatMap(({ steps }) => steps);
    const own = steps.find(({ uses }) => uses === LOCAL);
    ok(own, text);
    for (const name of Object.keys(own.with ?? {})) ok(name in ACTION.inputs, name);
  }
  const [first, second] = workflows.map((text) => parse(text));
  deepStrictEqual(second.on.workflow_run.workflows, [first.name]);
});

/** Returns whether actionlint is installed. A missing program throws immediately. */
async function hasActionlint(): Promise<boolean> {
  try {
    return (await new Deno.Command("actionlint", { args: ["-version"] }).output()).success;
  } catch {
    return false;
  }
}

const actionlint = await hasActionlint();
// deno-lint-ignore no-console -- a skipped test must be visible
if (!actionlint) console.log("No actionlint here: the workflows are not checked by it");

Deno.test({
  name: "actionlint finds nothing in the workflows",
  ignore: !actionlint,
  fn: async () => {
    // Treated as Stampede's own, so that their inputs are checked against action.yml
    await using folder = await temporary();
    await git(folder.path, "init", "--quiet", ".");
    await Deno.copyFile(`${ROOT}action.yml`, `${folder.path}/action.yml`);
    await Deno.mkdir(`${folder.path}/.github/workflows`, { recursive: true });
    for (const [index, text] of workflows.entries()) {
      const path = `${folder.path}/.github/workflows/${index}.yml`;
      await Deno.writeTextFile(path, text.replace(LOCAL, "./"));
    }
    const { code, stdout, stderr } = await new Deno.Command("actionlint", {
      args: ["-no-color"],
      cwd: folder.path,
    }).output();
    const decoder = new TextDecoder();
    strictEqual(decoder.decode(stdout) + decoder.decode(stderr), "");
    strictEqual(code, 0);
  },
});

/** Returns a text with expressions replaced by their values, as GitHub does. */
function filledIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The test does not know ${name}`);
    return value;
  });
}

/** Returns the outputs that a step has written. */
function outputsOf(text: string): Record<string, string> {
  const found = text.matchAll(/^(\w+)<<(\S+)\n([^]*?)\n\2$/gm);
  return Object.fromEntries([...found].map(([, name = "", , value = ""]) => [name, value]));
}

const SERVER = `Deno.serve(
  { hostname: Deno.env.get("HOST"), port: Number(Deno.env.get("PORT")) },
  () => new Response("Hello world"),
);
`;
const MANIFEST = {
  id: "mine",
  name: "Mine",
  language: "TypeScript",
  scenarios: { first: {} },
  start: ["deno", "run", "--no-prompt", "-A", "main.ts"],
};

/** Scenario of a pull request that prints the environment variables of `bench`. */
const SCENARIO = `
Deno.writeTextFileSync(Deno.env.get("RUNNER_TEMP") + "/seen", Object.keys(Deno.env.toObject()).join());
import { defineScenario, expectSuccess, get } from "stampede/scenario";
export default defineScenario({
  id: "first",
  title: "The first page" as string,
  request: get("/"),
  expect: (answer) => expectSuccess(answer),
});
`;

Deno.test("the steps of action.yml measure a pull request of a real repository, and comment on it", async () => {
  await using folder = await temporary();
  const work = `${folder.path}/work`;
  await Deno.mkdir(`${work}/mine`, { recursive: true });
  await git(work, "init", "--quiet", ".");
  await Deno.writeTextFile(`${work}/mine/server.json`, JSON.stringify(MANIFEST));
  await Deno.writeTextFile(`${work}/mine/main.ts`, SERVER);
  await Deno.writeTextFile(`${work}/mine/first.ts`, SCENARIO);
  await git(work, "add", ".");
  await git(work, "commit", "--quiet", "-m", "base");
  const base = await git(work, "rev-parse", "HEAD");
  await Deno.writeTextFile(`${work}/mine/main.ts`, `// head\n${SERVER}`);
  await git(work, "commit", "--quiet", "-a", "-m", "head");
  const head = await git(work, "rev-parse", "HEAD");
  await Deno.writeTextFile(
    `${folder.path}/event.json`,
    JSON.stringify({
      pull_request: {
        number: 7,
        base: { sha: base },
        head: { sha: head, repo: { full_name: "owner/shop" } },
      },
    }),
  );
  // npx would provide the Deno that runs this test
  await Deno.mkdir(`${folder.path}/bin`);
  await Deno.writeTextFile(
    `${folder.path}/bin/npx`,
    `#!/bin/sh\n[ "$1 $2" = "-y ${DENO}" ] || exit 9\nshift 2\nexec "${Deno.execPath()}" "$@"\n`,
    { mode: 0o755 },
  );
  const comments = "/repos/owner/shop/issues/7/comments";
  await using github = new GitHub(recorded({
    "POST /graphql": VIEWER,
    [`GET ${comments}?per_page=100`]: [],
    [`POST ${comments}`]: comment(1, ""),
  }));
  const values: Record<string, string> = { "github.token": "secret" };
  for (const [name, { default: fallback }] of Object.entries(ACTION.inputs)) {
    values[`inputs.${name}`] = filledIn(fallback, values);
  }
  values["inputs.server"] = "mine/server.json";
  values["inputs.scenario"] = "mine/first.ts";
  values["inputs.args"] = "--rounds 2 --max-rounds 2 -z 0.5 --warmup 1 --no-counts --measure none";
  const [step, upload] = ACTION.runs.steps;
  const files = { output: `${folder.path}/output`, summary: `${folder.path}/summary` };
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step?.run ?? ""],
    cwd: work,
    env: {
      PATH: `${folder.path}/bin:${Deno.env.get("PATH")}`,
      TMPDIR: folder.path,
      NO_COLOR: "1",
      STAMPEDE_TEST_SHORT_S: "0.2",
      INIT_CWD: folder.path, // as npx sets it; paths are still relative to the checkout
      GITHUB_ACTION_PATH: ROOT.replace(/\/$/, ""),
      GITHUB_API_URL: github.url,
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_EVENT_PATH: `${folder.path}/event.json`,
      GITHUB_REPOSITORY: "owner/shop",
      GITHUB_RUN_ID: "99",
      GITHUB_WORKSPACE: work,
      GITHUB_OUTPUT: files.output,
      GITHUB_STEP_SUMMARY: files.summary,
      RUNNER_TEMP: folder.path,
      ...Object.fromEntries(
        Object.entries(step?.env ?? {}).map(([name, text]) => [name, filledIn(text, values)]),
      ),
    },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  const log = decoder.decode(stdout) + decoder.decode(stderr);
  strictEqual(code, 0, log);
  match(log, /^Comment created$/m);
  const body: string = JSON.parse(github.calls.at(-1)?.body ?? "{}").body;
  match(
    body,
    /^### No detectable change in 1 scenario; .*\n\nNo slowdown is proven to exceed 5\.0 %\.\n/,
  );
  match(body, new RegExp(`base: Mine at ${base.slice(0, 12)}; head: current Mine`));
  match(body, new RegExp(`^Stampede measured ${head}: `, "m"));
  match(await Deno.readTextFile(files.summary), /^### No detectable change in 1 scenario; /);
  const outputs = outputsOf(await Deno.readTextFile(files.output));
  strictEqual(body.split("\n")[0], `### ${outputs.verdict}`);
  const path = filledIn(String(upload?.with?.path), {
    "steps.stampede.outputs.report": outputs.report ?? "",
  });
  ok(path.endsWith(`/${REPORT_FILE}`), path);
  strictEqual(JSON.parse(await Deno.readTextFile(path)).experiment.kind, "versus");
  ok(!log.includes("secret"));
  const seen = (await Deno.readTextFile(`${folder.path}/seen`)).split(",");
  deepStrictEqual(seen.filter((name) => name.startsWith("INPUT_")), [], "code gets the token");
  strictEqual(await git(work, "status", "--porcelain"), "");
});
