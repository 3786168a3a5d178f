import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { strToU8, zipSync } from "fflate";
import { distributedReport } from "../distributed/distributed_report.ts";
import { ORIGIN, RUNNER } from "../distributed/runner_testdata.ts";
import { VERSUS } from "../view/testdata/versus_report.ts";
import { act } from "./act.ts";
import {
  comment,
  eventEnv,
  GitHub,
  HEAD_SHA,
  recorded,
  temporary,
  type TestWorld,
  testWorld,
  VIEWER,
  workflowRunPayload,
} from "./ci_testdata.ts";

/** The report without windows, because the figures in its windows are impossible. */
const REPORT = { ...VERSUS, trialResults: [] };
const MERGED = distributedReport([{ ...RUNNER, name: "a.json" }], ORIGIN);

const PULLS = "GET /repos/owner/shop/pulls?state=open&head=stranger%3Aquicker&per_page=100";
const LIST = "GET /repos/owner/shop/actions/runs/99/artifacts?per_page=100&name=stampede-stampede";
const ZIP = "GET /repos/owner/shop/actions/artifacts/5/zip";
const STORE = "GET /store/report.zip?sig=1";
const COMMENTS = "/repos/owner/shop/issues/7/comments";

/** Makes a pull request as REST lists it. */
function pull(number: number, sha = HEAD_SHA, from = "stranger/shop"): object {
  return {
    number,
    head: { sha, repo: { full_name: from } },
    base: { repo: { full_name: "owner/shop" } },
  };
}

function artifact(size = 1000): object {
  return { id: 5, name: "stampede-stampede", size_in_bytes: size, expired: false };
}

function zipped(report: unknown): Response {
  return new Response(zipSync({ "report.json": strToU8(JSON.stringify(report)) }));
}

interface Outcome {
  readonly code: number;
  readonly log: string;
  readonly asked: readonly string[];
  readonly said: string;
  readonly world: TestWorld;
  readonly tokens: readonly (string | null)[];
}

/** Runs the action on the event of a fork's run. */
async function hear(
  responses: Readonly<Record<string, unknown>>,
  payload: object = workflowRunPayload(),
): Promise<Outcome> {
  await using folder = await temporary();
  await using github = new GitHub(recorded({
    "POST /graphql": VIEWER,
    [PULLS]: [pull(7)],
    [LIST]: { total_count: 1, artifacts: [artifact()] },
    [ZIP]: new Response(null, { status: 302, headers: { location: "/store/report.zip?sig=1" } }),
    [STORE]: zipped(REPORT),
    [`GET ${COMMENTS}?per_page=100`]: [],
    [`POST ${COMMENTS}`]: comment(1, ""),
    ...responses,
  }));
  const world = testWorld({
    ...await eventEnv(folder.path, "workflow_run", payload),
    GITHUB_API_URL: github.url,
    INPUT_TOKEN: "secret",
    INPUT_FAIL_ON: "5%",
  }, { timeoutMs: 60_000 });
  const code = await act(world);
  const post = github.calls.find(({ method, path }) => method === "PATCH" || path === COMMENTS);
  return {
    code,
    log: world.log.join("\n"),
    asked: github.asked,
    said: post === undefined ? "" : JSON.parse(post.body).body,
    world,
    tokens: github.calls.map(({ headers }) => headers.get("authorization")),
  };
}

Deno.test("the report of a fork's run is said in its pull request, and nothing is run", async () => {
  const { code, asked, said, world, tokens } = await hear({});
  strictEqual(code, 0, world.log.join());
  deepStrictEqual(asked, [
    PULLS,
    LIST,
    ZIP,
    STORE,
    "POST /graphql",
    `GET ${COMMENTS}?per_page=100`,
    `POST ${COMMENTS}`,
  ]);
  match(said, /^### No detectable change in 1 scenario; /);
  match(said, /^No slowdown is proven to exceed 5\.0 %\.$/m);
  match(said, /actions\/runs\/99\)\.\nThe figures come from the fork's own run, /);
  strictEqual(tokens[3], null, "the artifact's place gets no token");
  strictEqual(tokens[2], "Bearer secret");
  deepStrictEqual(world.benches, []);
});

Deno.test("which pull request it is, GitHub says: a number in the artifact changes nothing", async () => {
  const { code, log, asked } = await hear({
    [STORE]: zipped({ ...REPORT, number: 1, pull_request: { number: 1 } }),
  });
  strictEqual(code, 2);
  match(log, /^::error title=Stampede::Cannot use the artifact stampede-stampede: .*additional/);
  ok(!asked.some((one) => one.includes("/issues/")));
  const others = [pull(1, "c".repeat(40)), pull(2, HEAD_SHA, "stranger/other"), pull(7)];
  strictEqual((await hear({ [PULLS]: others })).asked.at(-1), `POST ${COMMENTS}`);
});

Deno.test("without one pull request of that commit, nothing is said", async () => {
  const moved = await hear({ [PULLS]: [pull(7, "c".repeat(40))] });
  strictEqual(moved.code, 0);
  match(moved.log, /^::notice .*no open pull request has the commit that was measured$/);
  deepStrictEqual(moved.asked, [PULLS]);
  const several = await hear({ [PULLS]: [pull(7), pull(8)] });
  strictEqual(several.code, 1);
  match(several.log, /Cannot tell which pull request was measured: 7 and 8 have the same commit/);
  const pushed = await hear({}, workflowRunPayload({ event: "push" }));
  match(pushed.log, /^::notice .*: the run was one of push$/);
  const none = await hear({ [LIST]: { total_count: 0, artifacts: [] } });
  strictEqual(none.code, 0);
  match(none.log, /^::notice .*: the run has left no artifact stampede-stampede$/);
});

Deno.test("a failed run without a report replaces the older comment, and a cancelled run does not", async () => {
  const MARKER = "<!-- stampede: stampede -->";
  const without = {
    [LIST]: { total_count: 0, artifacts: [] },
    [`GET ${COMMENTS}?per_page=100`]: [comment(3, `### No detectable change\r\n\r\n${MARKER}`)],
    "PATCH /repos/owner/shop/issues/comments/3": comment(3, ""),
  };
  for (const conclusion of ["failure", "startup_failure", "timed_out"]) {
    const { code, log, asked, said } = await hear(without, workflowRunPayload({ conclusion }));
    strictEqual(code, 0, log);
    strictEqual(asked.at(-1), "PATCH /repos/owner/shop/issues/comments/3");
    match(said, /^### Not measured: the run failed\.\n\nThe log of \[the run\]\(.*\/runs\/99\)/);
    ok(said.includes(HEAD_SHA));
    strictEqual(said.split("\n").at(-1), MARKER);
    ok(!said.includes("the fork's own run"));
  }
  for (const conclusion of ["cancelled", "skipped", "success", null]) {
    const { log, said } = await hear(without, workflowRunPayload({ conclusion }));
    match(log, /the run has left no artifact stampede-stampede$/);
    strictEqual(said, "");
  }
});

Deno.test("an artifact that is hostile is refused in one line, before anything is said", async () => {
  const cases:
    readonly (readonly [what: string, responses: Record<string, unknown>, log: RegExp])[] = [
      ["no zip", { [STORE]: new Response("x") }, /it is not a zip archive, or is damaged$/],
      ["announced", { [LIST]: { artifacts: [artifact(1e9)] } }, /it is larger than 5 MB$/],
      ["sent", { [STORE]: new Response(new Uint8Array(6e6)) }, /it is larger than 5 MB$/],
      [
        "bomb",
        { [STORE]: new Response(zipSync({ "report.json": new Uint8Array(3e7) })) },
        /its report\.json is larger than 20 MB$/,
      ],
      [
        "traversal",
        { [STORE]: new Response(zipSync({ "../report.json": strToU8("{}") })) },
        /it contains no report\.json$/,
      ],
      ["no report", { [STORE]: zipped({ a: 1 }) }, /it is JSON, but not a report of Stampede$/],
      ["merged", { [STORE]: zipped(MERGED) }, /it is not the report of a run$/],
      [
        "commands",
        { [STORE]: zipped({ ...REPORT, "x\n::add-path::/evil": 1 }) },
        /must NOT have additional properties: x ?(%0A)?::add-path::\/evil$/,
      ],
      ["deep", {
        [STORE]: new Response(
          zipSync({
            "report.json": strToU8(
              JSON.stringify(REPORT).replace(
                /"command":\[[^\]]*\]/,
                () => `"command":${"[".repeat(1e5)}${"]".repeat(1e5)}`,
              ),
            ),
          }),
        ),
      }, /Cannot use the artifact/],
      [
        "no versus",
        { [STORE]: zipped({ ...REPORT, changes: null }) },
        /Cannot comment on the report/,
      ],
      ["forbidden", { [LIST]: new Response("{}", { status: 403 }) }, /permissions: actions: read$/],
      ["gone", { [STORE]: new Response("", { status: 404 }) }, /the download answered 404$/],
    ];
  for (const [what, responses, expected] of cases) {
    const { code, log, asked } = await hear(responses);
    ok(code === 1 || code === 2, `${what}: ${code}`);
    match(log, /^::error title=Stampede::Cannot [^\n]*$/, what);
    match(log, expected, what);
    ok(!asked.some((one) => one.includes("/issues/")), what);
  }
});
