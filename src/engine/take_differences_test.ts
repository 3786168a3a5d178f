import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { json } from "../../scenarios/json.ts";
import { text } from "../../scenarios/text.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import type { Design, Variant } from "../model/experiment.ts";
import {
  type FakeOptions,
  measurementOf,
  type RunLog,
  runLogged,
  SAMPLED,
} from "./testbed_testdata.ts";

const startedBy = (id: string, program: string): Variant => {
  const variant = variantOf(id, [text, json]);
  return { ...variant, server: { ...variant.server, start: [program, "main.js"] } };
};
const PAIR = [startedBy("a", "node"), startedBy("b", "node")];
const UNTIMED = { rounds: 1, maxRounds: 1, isTimed: false, differences: "all" } as const;
/** Rounds of each workload. */
const ROUNDS = 12;

const profile = (options: FakeOptions = {}, design: Partial<Design> = UNTIMED): Promise<RunLog> =>
  runLogged(experimentOf(PAIR, [text, json], design), { profile: () => [SAMPLED], ...options });
const sampled = ({ log }: RunLog): string[] =>
  log.filter((line) => line.startsWith("sample")).map((line) => line.replace("sample ", ""));

Deno.test("base and head are profiled in turn, in as many fresh processes at each scenario", async () => {
  const outcome = await profile();
  strictEqual(outcome.error, null);
  const turns = Array.from({ length: ROUNDS / 2 }, () => ["a", "b", "b", "a"]).flat();
  deepStrictEqual(sampled(outcome), [...turns, ...turns]);
  strictEqual(outcome.log.filter((line) => line.startsWith("launch")).length, 4 * ROUNDS);
  const { selfTimes = [], profiles = [], trialResults } = outcome.report ?? {};
  deepStrictEqual(trialResults, []);
  deepStrictEqual(
    selfTimes.filter(({ scenario, variant }) => scenario === "json" && variant === "b")
      .map(({ round, samples, sampledUs, functions }) => [
        round,
        samples,
        sampledUs,
        functions.map(({ name, samples }) => [name, samples]),
      ]),
    Array.from({ length: ROUNDS }, (_, i) => [i + 1, 3, 1000, [["handle", 2]]]),
  );
  deepStrictEqual(
    profiles.map(({ variant, scenario, foldedStacks }) => [
      variant,
      scenario,
      foldedStacks?.samples,
    ]).sort(),
    [["a", "json", 36], ["a", "text", 36], ["b", "json", 36], ["b", "text", 36]],
  );
});

Deno.test("only scenarios with a proven change are profiled, unless all or none are wanted", async () => {
  const timed = { rounds: 8, maxRounds: 8 } as const;
  /** Slows the server b down at one path. */
  const slowAt = (slow: string): FakeOptions => {
    let last = "";
    return {
      launchProblem: ({ id }) => {
        last = id;
        return null;
      },
      measure: ({ request: { path } }) => measurementOf(path === slow && last === "b" ? 500 : 1000),
    };
  };
  const workloads = (
    { report }: RunLog,
  ): unknown => [...new Set(report?.selfTimes.map(({ scenario }) => scenario))];
  const changed = { ...timed, differences: "changed" } as const;
  deepStrictEqual(workloads(await profile(slowAt("/json"), changed)), ["json"]);
  deepStrictEqual(workloads(await profile(slowAt("none"), changed)), []);
  deepStrictEqual(workloads(await profile(slowAt("/json"), { ...timed, differences: "none" })), []);
});

Deno.test("a profile that fails, or without a response, gives the reason", async () => {
  const reasonsOf = ({ report }: RunLog) =>
    report?.selfTimes.flatMap(({ scenario, reason }) =>
      reason === null ? [] : [[scenario, reason]]
    );
  let asked = 0;
  const hung = await profile({
    profile: () => asked++ === 0 ? Promise.reject(new Error("it hung")) : [SAMPLED],
  });
  strictEqual(hung.error, null);
  deepStrictEqual(reasonsOf(hung), [["text", { kind: "message", text: "it hung" }]]);
  const silent = await profile({ measure: () => measurementOf(0) });
  const reason = { kind: "message", text: "a did not respond" };
  deepStrictEqual(reasonsOf(silent), [["text", reason], ["json", reason]]);
});
