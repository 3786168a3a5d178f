/** The action in a runner: the workflows of the documentation in act, with a GitHub that the test owns. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import denoConfig from "../deno.json" with { type: "json" };
import { REPORT_FILE, textOfZip } from "../src/ci/api.ts";
import { git, pullRequestPayload, workflowRunPayload } from "../src/ci/ci_testdata.ts";
import { PACKAGE } from "../src/cli/commands/init_command.ts";
import { hasAct, type Run } from "./act.ts";
import { ARTIFACT, RUN_ID, UPLOAD_FOLDER, World } from "./act_world.ts";
import { IS_ALL } from "./bench.ts";
import { BOT, REPOSITORY } from "./github.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGE = await Deno.readTextFile(`${ROOT}docs/pull_requests.md`);
/** The workflows in the documentation: for pull requests, those of forks, and the history. */
const [, FORKS = "", HISTORY = ""] = [...PAGE.matchAll(/^```yaml\n([^]*?)^```$/gm)]
  .map(([, text = ""]) => text);
/** Arguments for a run with few figures. A warm-up below a second is too short on a busy machine. */
const SHORT = "--rounds 2 --max-rounds 2 -z 0.5 --warmup 1";
const SHORT_VERSUS = `${SHORT} --no-counts --no-profile`;
/** The fewest rounds that prove a slowdown. */
const FEW = "--rounds 8 --max-rounds 8 -z 0.5 --warmup 1 --no-profile";
const FORK = "stranger/shop";
const COMMENTS = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
const UPDATE = "PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}";
/** The last line of Stampede's comment. */
const MARKER = "<!-- stampede: stampede -->";

/** Returns a workflow with arguments for the action, which make its measurements shorter. */
function withArguments(workflow: string, args: string): string {
  const last = "scenario: stampede/first.js";
  ok(workflow.includes(last));
  return workflow.replace(last, `${last}, args: "${args}"`);
}

/** Returns the kind of the experiment in an artifact. */
function kindOf(zip: Uint8Array): string {
  return JSON.parse(textOfZip(zip, REPORT_FILE, 20_000_000)).experiment.kind;
}

/** Returns a problem without its parameters. */
function firstWords(problem: string): string {
  return problem.replace(/ \{.*$/, "");
}

const HAS_ACT = await hasAct();

Deno.test({
  name: `the action in a runner${HAS_ACT ? "" : ", skipped: act is not installed"}`,
  ignore: !HAS_ACT,
  fn: async (t) => {
    await using world = await World.create();
    const { github, description, project: { repository, workflow, commits } } = world;
    let ofFork: Run | null = null;

    await t.step("GitHub's description refuses wrong messages", () => {
      const [list, post] = ["GET /repos/{owner}/{repo}/pulls", COMMENTS];
      const path = { owner: "owner", repo: "shop" };
      const request = { path, query: { state: "opened", pages: "1" }, body: undefined };
      deepStrictEqual(description.requestProblems(list, request).map(firstWords), [
        `${list}: unknown parameter pages`,
        `${list} state: must be equal to one of the allowed values`,
      ]);
      const without = { path: { ...path, issue_number: "7" }, query: {}, body: {} };
      strictEqual(description.requestProblems(post, without).length, 1);
      strictEqual(description.responseProblems(post, 201, { id: 1 }).length, 1);
      strictEqual(description.responseProblems(post, 200, {}).length, 1);
      strictEqual(description.eventProblems("push", { reff: "refs/heads/main" }).length, 1);
    });

    await t.step(
      "a pull request gets one comment with its verdict, and fails if slower",
      async () => {
        const quote = { id: 1, login: "someone", body: `What is this?\n\n${MARKER}` };
        github.comments = [quote];
        const run = await world.run(IS_ALL ? workflow : withArguments(workflow, FEW), {
          name: "pull_request",
          described: "pull-request-synchronize",
          payload: pullRequestPayload(REPOSITORY, commits),
          ref: "pull/7/merge",
        });
        ok(!run.hasSucceeded, run.log);
        const { verdict = "", report = "", markdown = "" } = run.outputs;
        match(verdict, /^Slower: first /, run.log);
        ok(report.endsWith(`/${REPORT_FILE}`), report);
        ok(markdown.endsWith(".md"), markdown);
        match(run.summary, /^### Slower: first /);
        deepStrictEqual(github.asked, ["POST /graphql", COMMENTS.replace("POST", "GET"), COMMENTS]);
        const [first, written, ...others] = github.comments;
        deepStrictEqual([first, others], [quote, []]);
        const { login, body = "" } = written ?? {};
        // deno-lint-ignore no-console -- for people: GitHub would show it
        console.log(body);
        strictEqual(login, BOT);
        strictEqual(body.split("\n")[0], `### ${verdict}`);
        strictEqual(body.split("\n").at(-1), MARKER);
        // The merge's first parent, which is newer than the base of the event
        match(body, new RegExp(`base: shop at ${commits.main.slice(0, 12)}; head: current shop`));
        match(
          body,
          new RegExp(`^Stampede measured ${commits.head}: .*/actions/runs/${RUN_ID}\\)`, "m"),
        );
        if (IS_ALL) match(body, /^- first: \+\d.* µs .*index\.js:2/m);
        deepStrictEqual(github.problems, []);
        strictEqual(kindOf(await world.zipOf(run)), "versus");
      },
    );

    await t.step("a second push updates the comment, and adds none", async () => {
      const ids = github.comments.map(({ id }) => id);
      const run = await world.run(withArguments(workflow, SHORT_VERSUS), {
        name: "pull_request",
        described: "pull-request-synchronize",
        payload: pullRequestPayload(REPOSITORY, { ...commits, head: commits.next }),
        ref: "pull/7/next",
      });
      deepStrictEqual(github.asked.slice(2), [UPDATE], run.log);
      deepStrictEqual(github.comments.map(({ id }) => id), ids);
      const { body = "" } = github.comments.at(-1) ?? {};
      match(body, new RegExp(`^Stampede measured ${commits.next}: `, "m"));
      deepStrictEqual(github.problems, []);
    });

    await t.step("a fork's pull request leaves its report, and no comment", async () => {
      github.comments = [];
      ofFork = await world.run(withArguments(workflow, SHORT_VERSUS), {
        name: "pull_request",
        described: "pull-request-synchronize",
        payload: pullRequestPayload(FORK, commits),
        ref: "pull/7/merge",
        mayWrite: false,
      });
      match(ofFork.log, /The pull request comes from a fork, so this run may not comment/);
      match(ofFork.outputs.verdict ?? "", /\w/);
      deepStrictEqual([github.asked, github.comments, github.problems], [[], [], []]);
    });

    await t.step({
      name: "actions/upload-artifact stores the report" +
        (UPLOAD_FOLDER ? "" : ", skipped: STAMPEDE_TEST_UPLOAD_ARTIFACT is not set"),
      ignore: !UPLOAD_FOLDER,
      fn: async () => {
        ok(ofFork);
        strictEqual(kindOf(await world.zipOf(ofFork)), "versus");
      },
    });

    await t.step("the second workflow updates the fork's comment from the artifact", async () => {
      ok(ofFork);
      github.artifacts = [
        { runId: String(RUN_ID), name: ARTIFACT, zip: await world.zipOf(ofFork) },
      ];
      github.pull = { number: 7, branch: "quicker", sha: commits.head, from: FORK };
      github.comments = [{ id: 3, login: BOT, body: `### Older\r\n\r\n${MARKER}` }];
      const run = await world.run(FORKS, {
        name: "workflow_run",
        described: "workflow-run-completed",
        payload: workflowRunPayload({ head_sha: commits.head, conclusion: "failure" }),
        ref: "heads/main",
        runId: RUN_ID + 1,
      });
      ok(run.hasSucceeded, run.log);
      strictEqual(run.outputs.verdict, ofFork.outputs.verdict);
      const [{ body = "" } = {}, ...others] = github.comments;
      deepStrictEqual(others, []);
      strictEqual(body.split("\n")[0], `### ${run.outputs.verdict}`);
      match(
        body,
        new RegExp(`^Stampede measured ${commits.head}: .*/actions/runs/${RUN_ID}\\)`, "m"),
      );
      match(body, /^The figures come from the fork's own run, so only the fork vouches/m);
      deepStrictEqual(github.problems, []);
    });

    await t.step("a push adds its report to the history, with pages and a badge", async () => {
      const run = await world.run(withArguments(HISTORY, SHORT), {
        name: "push",
        described: "push",
        payload: {
          ref: "refs/heads/main",
          before: commits.base,
          after: commits.main,
          deleted: false,
          repository: { full_name: REPOSITORY, default_branch: "main" },
        },
        ref: "heads/main",
      });
      ok(run.hasSucceeded, run.log);
      deepStrictEqual([github.asked, github.problems], [[], []]);
      const [, again] = /^Run it again:\n+```sh\n(.*)\n```$/m.exec(run.summary) ?? [];
      const own = "--server stampede/shop/server.json --scenario stampede/first.js";
      strictEqual(again, `npx ${PACKAGE}@${denoConfig.version} run ${own} ${SHORT}`);
      const show = (...words: string[]): Promise<string> => git(repository, ...words);
      const files = (await show("ls-tree", "-r", "--name-only", "stampede")).split("\n");
      strictEqual(files.filter((file) => /^results\/.*\.json$/.test(file)).length, 1);
      for (const file of [".nojekyll", "site/index.html", "site/badge.svg"]) {
        ok(files.includes(file), file);
      }
      match(await show("show", "stampede:site/badge.svg"), /^<svg /);
      strictEqual(
        await show("log", "--format=%an: %s", "stampede"),
        `${BOT}: Report of ${commits.main.slice(0, 12)}`,
      );
    });
  },
});
