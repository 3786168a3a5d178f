import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { VERSUS } from "../view/testdata/versus_report.ts";
import { act } from "./act.ts";
import {
  BASE_SHA,
  comment,
  eventEnv,
  git,
  GitHub,
  gitServer,
  HEAD_SHA,
  pullRequestPayload,
  recorded,
  temporary,
  type TestWorld,
  testWorld,
  VIEWER,
} from "./ci_testdata.ts";
import { baseOf } from "./git.ts";
import type { ActionContext } from "./runner.ts";

const COMMENTS = "/repos/owner/shop/issues/7/comments";
const FINE = {
  "POST /graphql": VIEWER,
  [`GET ${COMMENTS}?per_page=100`]: [],
  [`POST ${COMMENTS}`]: comment(1, ""),
};
const REPORT = { ...VERSUS, trialResults: [] };

/** Returns the file that an argument names. */
function fileOf(args: readonly string[], option: string): string {
  return args[args.indexOf(option) + 1] ?? "";
}

/** Returns a bench that writes this report and exits with a code. */
function bench(code: number, report: unknown = REPORT): ActionContext["bench"] {
  return async (args, folder) => {
    if (args[0] === "site") {
      await Deno.mkdir(`${folder}/site`, { recursive: true });
      await Deno.writeTextFile(`${folder}/site/badge.svg`, "<svg/>");
    } else {
      if (report !== null) await Deno.writeTextFile(fileOf(args, "--out"), JSON.stringify(report));
      await Deno.writeTextFile(fileOf(args, "--markdown"), "### Text");
    }
    return code;
  };
}

interface Outcome {
  readonly code: number;
  readonly log: string;
  readonly asked: readonly string[];
  readonly bodies: readonly string[];
  readonly outputs: string;
  readonly summary: string;
  readonly benches: TestWorld["benches"];
}

async function run(
  name: string,
  payload: object,
  { responses = FINE, env = {}, run = bench(0) }: {
    readonly responses?: Readonly<Record<string, unknown>>;
    readonly env?: Readonly<Record<string, string>>;
    readonly run?: ActionContext["bench"];
  } = {},
): Promise<Outcome> {
  await using folder = await temporary();
  const [output, summary] = [`${folder.path}/output`, `${folder.path}/summary`];
  await using github = new GitHub(recorded(responses));
  const world = testWorld({
    ...await eventEnv(folder.path, name, payload),
    GITHUB_API_URL: github.url,
    GITHUB_SERVER_URL: `file://${folder.path}/nowhere`,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_RUN_ID: "99",
    GITHUB_REF: "refs/heads/main",
    GITHUB_SHA: HEAD_SHA,
    GITHUB_WORKSPACE: folder.path,
    RUNNER_TEMP: folder.path,
    INPUT_SERVER: "stampede/shop/server.json",
    INPUT_TOKEN: "secret",
    INPUT_FAIL_ON: "5%",
    ...env,
  }, { bench: run });
  const code = await act(world);
  return {
    code,
    log: world.log.join("\n"),
    asked: github.asked,
    bodies: github.calls.filter(({ method, path }) => method === "PATCH" || path === COMMENTS)
      .map(({ body }) => JSON.parse(body).body),
    outputs: await Deno.readTextFile(output).catch(() => ""),
    summary: await Deno.readTextFile(summary).catch(() => ""),
    benches: world.benches,
  };
}

Deno.test("a pull request is measured as the inputs say, and told the verdict", async () => {
  const { code, bodies, outputs, benches, log } = await run("pull_request", pullRequestPayload(), {
    env: {
      INPUT_SCENARIO: "stampede/a b.js\nstampede/c.js",
      INPUT_SCENARIOS: "text",
      INPUT_ARGS: "--rounds 15",
      INPUT_TIMEOUT_MINUTES: "7",
    },
  });
  strictEqual(code, 0, log);
  const [{ args = [], timeoutMs = 0 } = {}] = benches;
  strictEqual(timeoutMs, 420_000);
  deepStrictEqual(args.slice(0, 14), [
    "versus",
    "--base",
    BASE_SHA,
    "--fail-on",
    "5%",
    "text",
    "--server",
    "stampede/shop/server.json",
    "--scenario",
    "stampede/a b.js",
    "--scenario",
    "stampede/c.js",
    "--rounds",
    "15",
  ]);
  match(
    bodies[0] ?? "",
    /^### No detectable change in 1 scenario; [^]*<!-- stampede: stampede -->$/,
  );
  match(bodies[0] ?? "", /\/owner\/shop\/actions\/runs\/99\)/);
  match(outputs, /^verdict<<\S+\nNo detectable change in 1 scenario; /m);
  match(outputs, /^report<<\S+\n\/.*\/stampede-stampede-[^/]+\/report\.json$/m);
});

Deno.test("the exit code is that of versus, whatever becomes of the comment", async () => {
  const refused = {
    ...FINE,
    [`POST ${COMMENTS}`]: Response.json({ message: "Resource not accessible by integration" }, {
      status: 403,
    }),
  };
  for (const code of [0, 1, 3]) {
    const { log, ...rest } = await run("pull_request", pullRequestPayload(), {
      responses: refused,
      run: bench(code),
    });
    strictEqual(rest.code, code);
    strictEqual(
      log,
      "::warning title=Stampede::Cannot comment on the pull request: GitHub answered 403: " +
        "Resource not accessible by integration; the job needs permissions: pull-requests: write",
    );
  }
});

Deno.test("a state that cannot be measured is told so, since an older verdict stands there", async () => {
  const { code, bodies, outputs } = await run("pull_request", pullRequestPayload(), {
    run: bench(2, null),
  });
  strictEqual(code, 2);
  match(bodies[0] ?? "", /^### Not measured: the run failed\./);
  match(outputs, /^report<<(\S+)\n\n\1$/m);
  const damaged = await run("pull_request", pullRequestPayload(), { run: bench(1, { a: 1 }) });
  match(damaged.log, /^::warning .*it is JSON, but not a report of Stampede$/m);
  match(damaged.bodies[0] ?? "", /^### Not measured/);
});

Deno.test("a second push updates the comment of the first, also if it cannot be measured", async () => {
  const { bodies: [first = ""] } = await run("pull_request", pullRequestPayload());
  const head = "c".repeat(40);
  const comments = "/repos/owner/shop/issues/comments";
  const responses = {
    ...FINE,
    [`GET ${COMMENTS}?per_page=100`]: [comment(1, "Nice"), comment(2, first)],
    [`PATCH ${comments}/2`]: comment(2, ""),
  };
  for (const [report, beginning] of [[REPORT, "No detectable"], [null, "Not measured"]] as const) {
    const { asked, bodies, log } = await run(
      "pull_request",
      pullRequestPayload("owner/shop", { head }),
      { responses, run: bench(0, report) },
    );
    strictEqual(asked.at(-1), `PATCH ${comments}/2`, log);
    ok(!asked.includes(`POST ${COMMENTS}`));
    match(bodies[0] ?? "", new RegExp(`^### ${beginning}\\b`));
    ok(bodies[0]?.includes(head));
  }
});

Deno.test("a fork's run, and one that is not to comment, ask GitHub for nothing", async () => {
  const fork = await run("pull_request", pullRequestPayload("stranger/shop"), { run: bench(1) });
  deepStrictEqual(fork.asked, []);
  strictEqual(fork.code, 1);
  match(fork.log, /^::notice .*comes from a fork/);
  match(fork.outputs, /^report<<\S+\n\/.*report\.json$/m);
  const silent = await run("pull_request", pullRequestPayload(), {
    env: { INPUT_COMMENT: "false" },
  });
  deepStrictEqual(silent.asked, []);
});

Deno.test("wrong use is one line and exit code 2, before anything is measured", async () => {
  const cases: readonly (readonly [name: string, env: Record<string, string>, log: RegExp])[] = [
    ["push", { INPUT_SERVER: "" }, /set the input server to the manifest of a server$/],
    ["push", { INPUT_KEEP: "x" }, /Cannot use "x" as the input keep: /],
    ["pull_request_target", {}, /Cannot run on pull_request_target: /],
  ];
  for (const [name, env, log] of cases) {
    const outcome = await run(name, {}, { env });
    strictEqual(outcome.code, 2);
    match(outcome.log, log);
    match(outcome.log, /^::error title=Stampede::[^\n]*$/);
    deepStrictEqual(outcome.benches, []);
  }
});

Deno.test("the default branch's report is kept; another branch's is not, and a failed one neither", async () => {
  await using folder = await temporary();
  const { url, repository } = await gitServer(folder.path);
  const payload = { repository: { default_branch: "main" } };
  const env = { GITHUB_SERVER_URL: url, INPUT_HISTORY_BRANCH: "stampede" };
  for (const name of ["push", "schedule", "workflow_dispatch"]) {
    const { code, summary, benches, log } = await run(name, payload, { env });
    strictEqual(code, 0, log);
    strictEqual(summary, "", "bench itself adds to it");
    deepStrictEqual(benches.map(({ args }) => args[0]), ["run", "site"].slice(0, benches.length));
  }
  match(
    await git(repository, "ls-tree", "-r", "--name-only", "stampede"),
    /^\.nojekyll\nresults\/[\dT.Z-]+-\w+\.json\nsite\/badge\.svg$/,
  );
  const head = await git(repository, "rev-parse", "stampede");
  const other = await run("push", payload, { env: { ...env, GITHUB_REF: "refs/heads/x" } });
  match(other.log, /^::notice .*Not kept: refs\/heads\/x is not the default branch$/);
  const data = await run("push", payload, { env: { ...env, GITHUB_REF: "refs/heads/stampede" } });
  deepStrictEqual(data.benches, []);
  const gone = await run("push", { ...payload, deleted: true }, { env });
  deepStrictEqual(gone.benches, []);
  strictEqual((await run("push", payload, { env, run: bench(1) })).code, 1);
  const none = await run("push", payload, { env: { ...env, INPUT_HISTORY_BRANCH: "" } });
  strictEqual(none.code, 0);
  strictEqual(await git(repository, "rev-parse", "stampede"), head);
  const refused = await run("push", payload, { env: { INPUT_HISTORY_BRANCH: "stampede" } });
  strictEqual(refused.code, 1);
  match(
    refused.log,
    /^::error .*Cannot read the branch stampede: .*permissions: contents: write$/m,
  );
  ok(refused.outputs.includes("report<<"));
});

Deno.test("the base is the first parent of GitHub's merge, and is fetched if the checkout is shallow", async () => {
  await using folder = await temporary();
  const { url, repository } = await gitServer(folder.path);
  const work = `${folder.path}/work`;
  await git(folder.path, "clone", "--quiet", repository, work);
  const commit = async (name: string): Promise<string> => {
    await Deno.mkdir(`${work}/stampede/shop`, { recursive: true });
    await Deno.writeTextFile(`${work}/stampede/shop/${name}`, name);
    await git(work, "add", ".");
    await git(work, "commit", "--quiet", "-m", name);
    return await git(work, "rev-parse", "HEAD");
  };
  const old = await commit("old");
  await git(work, "checkout", "--quiet", "-b", "quicker");
  const head = await commit("head");
  await git(work, "checkout", "--quiet", "-B", "main", old);
  const newer = await commit("newer");
  await git(work, "checkout", "--quiet", "-b", "merge");
  await git(work, "merge", "--quiet", "--no-ff", "-m", "merge", "quicker");
  await git(work, "push", "--quiet", "--all");

  const shallow = `${folder.path}/shallow`;
  await git(
    folder.path,
    "clone",
    "--quiet",
    "--depth",
    "1",
    "-b",
    "merge",
    `file://${repository}`,
    shallow,
  );
  const event = {
    kind: "pull_request",
    number: 7,
    baseSha: old,
    headSha: head,
    isFork: false,
  } as const;
  const base = (head: string, server: string, workspace = shallow): Promise<string> => {
    const world = testWorld({ GITHUB_SERVER_URL: url, GITHUB_WORKSPACE: workspace });
    return baseOf({ ...event, headSha: head }, { server, token: "" }, world);
  };
  strictEqual(await base(head, "stampede/shop/server.json"), newer);
  strictEqual(await git(shallow, "show", `${newer}:stampede/shop/newer`), "newer");
  // The checkout is not a merge of this head, so the event counts
  strictEqual(await base(newer, "stampede/shop"), old);
  strictEqual(await git(shallow, "cat-file", "-t", old), "commit");
  // Without a repository, bench reports the error
  strictEqual(await base(head, "stampede/shop/server.json", "/"), old);
});
