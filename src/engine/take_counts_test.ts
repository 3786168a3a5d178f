import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { text } from "../../scenarios/text.ts";
import { compareCounts } from "../analysis/count_changes.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import type { Variant } from "../model/experiment.ts";
import { NotCounted } from "../target/tracer.ts";
import { type FakeOptions, type RunLog, runLogged } from "./testbed_testdata.ts";

/** Calls of a segment of 100 requests, or of 50 connections. */
const CALLS = new Map([["sendto", 100], ["recvfrom", 103]]);
const startedBy = (id: string, start: string): Variant => {
  const variant = variantOf(id, [text]);
  return { ...variant, server: { ...variant.server, start: [start] } };
};
const EXPERIMENT = experimentOf([startedBy("a", "bun"), startedBy("b", "bun")], [text], {
  rounds: 1,
  maxRounds: 1,
  isTimed: false,
  counts: true,
});
const ONLY_LINUX = { ignore: Deno.build.os !== "linux" };

const count = (options: FakeOptions): Promise<RunLog> => runLogged(EXPERIMENT, options);
const launches = ({ log }: RunLog): string[] =>
  log.filter((line) => line.startsWith("launch")).map((line) => line.replace("launch ", ""));

Deno.test(
  "servers are counted in two processes each, and nothing is timed",
  ONLY_LINUX,
  async () => {
    const outcome = await count({ calls: () => CALLS });
    strictEqual(outcome.error, null);
    deepStrictEqual(launches(outcome), ["a", "b", "b", "a"]);
    const { counts = [], blocks, trialResults } = outcome.report ?? {};
    deepStrictEqual([blocks, trialResults], [[], []]);
    const sent = counts.filter(({ name }) => name === "sendto");
    deepStrictEqual(sent.map(({ variant, per }) => `${variant} ${per}`), [
      "a request",
      "a connection",
      "b request",
      "b connection",
    ]);
    deepStrictEqual(sent[0]?.processes, [[1, 1, 1], [1, 1, 1]]);
    const bytes = counts.find(({ kind }) => kind === "bytes-sent")?.processes.flat() ?? [];
    ok(bytes.length === 6 && bytes.every((one) => one > 100 && one === bytes[0]), String(bytes));
  },
);

Deno.test(
  "counts that differ are counted in a third process, and one more call is named",
  ONLY_LINUX,
  async () => {
    const outcome = await count({
      calls: (server) => server === "b" ? new Map([...CALLS, ["write", 100]]) : CALLS,
    });
    deepStrictEqual(launches(outcome), ["a", "b", "b", "a", "a", "b"]);
    const { changes } = compareCounts(outcome.report?.counts ?? [], [], ["a", "b"]);
    const [change] = changes.filter(({ per }) => per === "request");
    deepStrictEqual([change?.name, change?.base, change?.head], ["write", 0, 1]);
  },
);

Deno.test(
  "if one server cannot start, the other ends uncounted, and the reason names the first",
  ONLY_LINUX,
  async () => {
    const outcome = await count({
      calls: () => CALLS,
      launchProblem: ({ id }) => id === "b" ? "b ended before it answered" : null,
    });
    deepStrictEqual(outcome.log.filter((line) => line.startsWith("stop")), ["stop a"]);
    const { counts, countAbsences } = outcome.report ?? {};
    deepStrictEqual(counts, []);
    deepStrictEqual(countAbsences?.map(({ what, reason }) => [what, reason]), [
      ["Nothing", { kind: "message", text: "Name of b: b ended before it answered" }],
    ]);
  },
);

Deno.test("what cannot be counted has a reason, and the rest is counted", ONLY_LINUX, async () => {
  const { report } = await count({
    calls: () => {
      throw new NotCounted("strace is not installed");
    },
  });
  const kinds = new Set(report?.counts.map(({ kind }) => kind));
  deepStrictEqual([kinds.has("system-call"), kinds.has("bytes-sent")], [false, true]);
  deepStrictEqual(
    report?.countAbsences.filter(({ what }) => what === "System calls").map(({ reason }) => reason),
    [{ kind: "message", text: "strace is not installed" }],
  );
});

Deno.test(
  "a server that answers wrongly later is not counted, and neither is the other",
  ONLY_LINUX,
  async () => {
    let asked = 0;
    const respond = (): Response =>
      new Response("Hello world", { status: asked++ < 500 ? 200 : 500 });
    const { report } = await count({ calls: () => CALLS, respond });
    deepStrictEqual(report?.counts, []);
    const [absence] = report?.countAbsences ?? [];
    match(JSON.stringify(absence?.reason), /a response was wrong \(status 500\)/);
  },
);
