import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import {
  BASE_SHA,
  eventEnv,
  HEAD_SHA,
  pullRequestPayload,
  temporary,
  testWorld,
  workflowRunPayload,
} from "./ci_testdata.ts";
import { readEvent } from "./event.ts";

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
