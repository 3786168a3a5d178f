import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import {
  BASE_SHA,
  eventEnv,
  HEAD_SHA,
  pullRequestPayload,
  temporary,
  testWorld,
  workflowRunPayload,
} from "./ci_testdata.ts";
import { endInTime, readEvent, setOutputs, tell } from "./runner.ts";

Deno.test("the event says what happened", async () => {
  await using folder = await temporary();
  const read = async (name: string, payload: unknown): ReturnType<typeof readEvent> =>
    await readEvent(testWorld({
      ...await eventEnv(folder.path, name, payload),
      GITHUB_REF: "refs/heads/main",
    }));
  const own = {
    kind: "pull_request",
    number: 7,
    baseSha: BASE_SHA,
    headSha: HEAD_SHA,
    isFork: false,
  };
  deepStrictEqual(await read("pull_request", pullRequestPayload()), own);
  deepStrictEqual(await read("pull_request", pullRequestPayload("stranger/shop")), {
    ...own,
    isFork: true,
  });
  deepStrictEqual(await read("workflow_run", workflowRunPayload()), {
    kind: "workflow_run",
    runId: 99,
    cause: "pull_request",
    headSha: HEAD_SHA,
    headBranch: "quicker",
    headRepository: "stranger/shop",
    headOwner: "stranger",
    isFork: true,
    hasFailed: false,
  });
  for (const name of ["push", "schedule", "workflow_dispatch"]) {
    const event = await read(name, { repository: { default_branch: "main" } });
    strictEqual(event.kind, "branch");
  }
});

Deno.test("an event that the action must not run on, or does not know, is refused", async () => {
  await using folder = await temporary();
  const cases: readonly (readonly [name: string, payload: unknown, message: RegExp])[] = [
    ["pull_request_target", {}, /^Cannot run on pull_request_target: the code of a fork would run/],
    ["issues", {}, /^Cannot handle the event issues: the action supports pull_request, /],
    ["", {}, /GITHUB_EVENT_NAME is not set/],
    ["pull_request", null, /its pull_request\.number is missing or invalid$/],
    [
      "pull_request",
      { pull_request: { number: 1, base: { sha: "--exec=x" } } },
      /base\.sha is missing or invalid$/,
    ],
    ["workflow_run", { workflow_run: { id: 1.5 } }, /workflow_run\.\S+ is missing or invalid$/],
  ];
  for (const [name, payload, message] of cases) {
    const env = await eventEnv(folder.path, name, payload);
    await rejects(readEvent(testWorld(env)), { name: "UsageError", message });
  }
  await rejects(readEvent(testWorld({ GITHUB_EVENT_NAME: "push" })), /Cannot read the event/);
});

Deno.test("no text becomes another command of the log", () => {
  const world = testWorld({});
  tell(world, "warning", "50% is\r\n::error::x\x1b[2J");
  tell(world, "error", "a\rb");
  deepStrictEqual(world.log, [
    "::warning title=Stampede::50%25 is%0A::error::x\ufffd[2J",
    "::error title=Stampede::a\ufffdb",
  ]);
});

Deno.test("an output cannot set another one", async () => {
  await using folder = await temporary();
  const output = `${folder.path}/output`;
  const world = testWorld({ GITHUB_OUTPUT: output });
  await setOutputs(world, { verdict: "x\nreport=/etc/passwd", report: "" });
  match(
    await Deno.readTextFile(output),
    /^verdict<<(stampede_[0-9a-f-]{36})\nx\nreport=\/etc\/passwd\n\1\nreport<<(stampede_[0-9a-f-]{36})\n\n\2\n$/,
  );
  await rejects(
    setOutputs(testWorld({ GITHUB_OUTPUT: folder.path }), {}),
    /^Failure: Cannot write to the file that GITHUB_OUTPUT names: /,
  );
  await setOutputs(testWorld({}), { report: "nowhere" });
});

/** Starts a script and returns after it has begun. */
async function started(script: string): Promise<Deno.ChildProcess> {
  const process = new Deno.Command("sh", {
    args: ["-c", `${script}; echo begun; while :; do sleep 0.02; done`],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = process.stdout.getReader();
  await reader.read();
  await reader.cancel();
  return process;
}

Deno.test("a process that is late is told to stop, killed if it does not, and else left alone", async () => {
  const late: string[] = [];
  const end = async (script: string): Promise<number> =>
    await endInTime(
      await started(script),
      { timeoutMs: 50, graceMs: 200 },
      () => void late.push(script),
    );
  const stops = "trap 'exit 130' TERM";
  const stays = "trap '' TERM";
  deepStrictEqual([await end(stops), await end(stays), late], [130, 137, [stops, stays]]);
  const quick = new Deno.Command("sh", { args: ["-c", "exit 3"] }).spawn();
  const times = { timeoutMs: 60_000, graceMs: 0 };
  deepStrictEqual(await endInTime(quick, times, () => void late.push("quick")), 3);
  deepStrictEqual(late, [stops, stays]);
});
