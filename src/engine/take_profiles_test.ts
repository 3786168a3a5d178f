import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { json } from "../../scenarios/json.ts";
import { text } from "../../scenarios/text.ts";
import { experimentOf, variantOf } from "../experiment/experiment_testdata.ts";
import type { Variant } from "../model/experiment.ts";
import { type RunLog, runLogged, SAMPLED } from "./testbed_testdata.ts";

const startedBy = (id: string, ...start: string[]): Variant => {
  const variant = variantOf(id, [text, json]);
  return { ...variant, server: { ...variant.server, start } };
};
const V8 = startedBy("a", "node", "main.js");
const OTHER = startedBy("b", "bun", "main.ts");

const ONCE = { rounds: 1, maxRounds: 1, profileS: 3 } as const;

const profilesOf = ({ report }: RunLog): readonly unknown[] =>
  report?.profiles.map(({ variant, scenario, foldedStacks, reason }) => [
    variant,
    scenario,
    foldedStacks?.inCalls ?? reason,
  ]) ?? [];

Deno.test("servers are profiled after everything was measured, each time in a process of its own", async () => {
  const outcome = await runLogged(experimentOf([OTHER, V8], [text, json], ONCE), {
    profile: () => [SAMPLED],
  });
  strictEqual(outcome.error, null);
  const reason = { kind: "no-inspector", command: "bun" };
  deepStrictEqual(profilesOf(outcome), [
    ["b", "text", reason],
    ["b", "json", reason],
    ["a", "text", 2],
    ["a", "json", 2],
  ]);
  const once = (path: string): string[] => [
    "launch a",
    `autocannon ${path}`,
    "sample a",
    "stop a",
  ];
  deepStrictEqual(outcome.log.slice(-10), [...once("/"), ...once("/json"), "unload", "close"]);
  strictEqual(outcome.report?.trialResults.length, 4, "no window comes from a profile");
  deepStrictEqual(
    outcome.events.flatMap((event) => event.kind === "profiled" ? [event.threads.length] : []),
    [0, 0, 1, 1],
  );
});

Deno.test("nothing is profiled unless that was asked for", async () => {
  const outcome = await runLogged(experimentOf([V8], [text], { ...ONCE, profileS: null }));
  deepStrictEqual(outcome.report?.profiles, []);
  deepStrictEqual(outcome.log.filter((line) => line.startsWith("sample")), []);
});

Deno.test("a profile that fails says why, and the next one is taken", async () => {
  let asked = 0;
  const outcome = await runLogged(experimentOf([V8], [text, json], ONCE), {
    profile: () => asked++ === 0 ? Promise.reject(new Error("it hung")) : [SAMPLED],
  });
  strictEqual(outcome.error, null);
  deepStrictEqual(profilesOf(outcome), [
    ["a", "text", { kind: "message", text: "it hung" }],
    ["a", "json", 2],
  ]);
});

Deno.test("a server that V8 took no sample of has no profile", async () => {
  const outcome = await runLogged(experimentOf([V8], [text], ONCE), { profile: () => [] });
  deepStrictEqual(profilesOf(outcome), [
    ["a", "text", { kind: "message", text: "V8 took no sample" }],
  ]);
});

Deno.test("a run that is interrupted while it profiles stops the server, and keeps what it has", async () => {
  const stop = new AbortController();
  const outcome = await runLogged(experimentOf([V8], [text, json], ONCE), {
    profile: () => {
      stop.abort(new Error("Ctrl-C"));
      return [SAMPLED];
    },
  }, stop.signal);
  match(String(outcome.error), /Ctrl-C/);
  strictEqual(outcome.report?.complete, false);
  strictEqual(outcome.report?.trialResults.length, 2);
  deepStrictEqual(outcome.log.slice(-3), ["stop a", "unload", "close"]);
});
