import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { text } from "../../scenarios/text.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import type { CostGroup, CostId } from "../model/costs.ts";
import type { Variant } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import { type FakeOptions, type RunLog, runLogged } from "./testbed_testdata.ts";

const ONLY_LINUX = { ignore: Deno.build.os !== "linux" };

const NO_PLACE = { variant: null, scenario: null, round: null };

/** Makes a server that takes a few connections: thousands would take a test too long. */
function smallOf(id: string): Variant {
  const variant = variantOf(id, [text]);
  return { ...variant, server: { ...variant.server, maxConnections: 20 } };
}

async function measure(
  costs: readonly CostGroup[],
  rounds: number,
  options: FakeOptions = {},
  kind: "run" | "versus" = "versus",
): Promise<RunLog & { readonly report: Report }> {
  const design = { rounds, maxRounds: rounds, isTimed: false, costs };
  const plain = experimentOf([smallOf("a"), smallOf("b")], [text], design);
  const experiment = { ...plain, kind };
  // The process of a fake server is then known: it is this one
  const outcome = await runLogged(experiment, { calls: () => new Map(), ...options });
  return outcome as RunLog & { readonly report: Report };
}

Deno.test("start-up is the median of five starts, which alternate", ONLY_LINUX, async () => {
  const { error, log, report } = await measure(["startup"], 2);
  strictEqual(error, null);
  const launches = log.filter((line) => line.startsWith("launch")).map((line) => line.slice(-1));
  deepStrictEqual(launches.join(""), "abbaabbaab" + "baabbaabba");
  const times = report.costs.filter(({ cost }) => cost === "startUpUs");
  deepStrictEqual(times.map(({ variant, round, value }) => `${variant}${round} ${value}`), [
    "a1 100000",
    "b1 100000",
    "b2 100000",
    "a2 100000",
  ]);
  deepStrictEqual([report.trialResults, report.blocks], [[], []]);
});

Deno.test("idle servers run at the same time, and have idle connections", ONLY_LINUX, async () => {
  const { error, log, report } = await measure(["memory", "idle"], 1);
  strictEqual(error, null);
  deepStrictEqual(
    log.filter((line) => /^(launch|stop)/.test(line)).map((line) => line.slice(0, 4)),
    [
      ...["laun", "laun", "stop", "stop"],
      // A quiet load has fresh processes
      ...["laun", "laun", "stop", "stop"],
    ],
  );
  const of = (variant: string): CostId[] =>
    report.costs.filter((one) => one.variant === variant).map(({ cost }) => cost).toSorted();
  const idle = ["connectedCpuUs", "connectionBytes", "idleBytes", "idleCpuUs", "idleWakeUps"];
  const all = [...idle, "quietCpuUs", "quietWakeUps"];
  deepStrictEqual([of("a"), of("b")], [all, all]);
  const memory = report.costs.find(({ cost }) => cost === "idleBytes");
  ok((memory?.value ?? 0) > 1e6, "of this process");
});

Deno.test(
  "a server that cannot start leaves a reason, and other costs are measured",
  ONLY_LINUX,
  async () => {
    let starts = 0;
    const launchProblem = (): string | null => ++starts === 1 ? "it ended" : null;
    const { error, report } = await measure(["startup", "memory"], 2, { launchProblem });
    strictEqual(error, null);
    deepStrictEqual(report.costAbsences, [
      { group: "startup", ...NO_PLACE, reason: { kind: "message", text: "Name of a: it ended" } },
    ]);
    const costs = new Set(report.costs.map(({ cost }) => cost));
    deepStrictEqual([...costs].toSorted(), ["connectionBytes", "idleBytes"]);
  },
);

Deno.test("without a process id, nothing is known of a server's memory", async () => {
  const design = { rounds: 1, maxRounds: 1, isTimed: false, costs: ["memory"] } as const;
  const { report } = await runLogged(experimentOf([smallOf("a")], [text], design));
  match(
    JSON.stringify(report?.costAbsences),
    /a server ended, or its process is unknown|only Linux/,
  );
});

Deno.test("without a comparison, each server is measured alone", ONLY_LINUX, async () => {
  const { error, log, report } = await measure(["memory"], 2, {}, "run");
  strictEqual(error, null);
  const steps = log.filter((line) => /^(launch|stop)/.test(line))
    .map((line) => `${line[0]}${line.slice(-1)}`);
  deepStrictEqual(steps.join(" "), "la sa lb sb lb sb la sa");
  const [a] = report.servers;
  deepStrictEqual(Object.keys(a?.costs ?? {}), ["idleBytes", "connectionBytes"]);
});

Deno.test("a server that cannot start alone loses only its own costs", ONLY_LINUX, async () => {
  const launchProblem = ({ id }: { readonly id: string }): string | null =>
    id === "a" ? "it ended" : null;
  const { report } = await measure(["memory"], 2, { launchProblem }, "run");
  deepStrictEqual(report.costAbsences, [{
    group: "memory",
    ...NO_PLACE,
    variant: "a",
    reason: { kind: "message", text: "it ended" },
  }]);
  deepStrictEqual(new Set(report.costs.map(({ variant }) => variant)), new Set(["b"]));
});

Deno.test("a start with a wrong first response has no cost, and the reason names no server", async () => {
  const { report } = await measure(["startup"], 1, { startUpS: null }, "run");
  deepStrictEqual(report.costs, []);
  deepStrictEqual(
    report.costAbsences.map(({ variant, reason }) => [variant, reason]),
    ["a", "b"].map((id) => [id, { kind: "message", text: "its first response was wrong" }]),
  );
});

Deno.test("a server without the scenario of the load gets none", ONLY_LINUX, async () => {
  const design = { rounds: 1, maxRounds: 1, isTimed: false, costs: ["idle"] } as const;
  const other = smallOf("b");
  const withoutText = { ...other, server: { ...other.server, scenarios: { json: {} } } };
  const experiment = experimentOf([smallOf("a"), withoutText], [text], design);
  const { report } = await runLogged({ ...experiment, kind: "run" }, { calls: () => new Map() });
  const quiet = report?.costs.filter(({ cost }) => cost === "quietCpuUs");
  deepStrictEqual(quiet?.map(({ variant }) => variant), ["a"]);
  deepStrictEqual(report?.costAbsences, []);
});

Deno.test("a cold start is one start with an empty page cache, or has a reason", async () => {
  const { error, log, report } = await measure(["cold"], 1);
  strictEqual(error, null);
  const launches = log.filter((line) => line.startsWith("launch")).length;
  const costs = report.costs.map(({ variant, cost }) => `${variant} ${cost}`);
  if (report.costAbsences.length === 0) {
    deepStrictEqual([costs, launches], [["a coldStartUpUs", "b coldStartUpUs"], 2]);
  } else {
    match(JSON.stringify(report.costAbsences), /the page cache cannot be dropped/);
    deepStrictEqual([costs, launches], [[], 0]);
  }
});
