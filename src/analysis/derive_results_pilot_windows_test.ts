import { deepStrictEqual } from "node:assert/strict";
import { absent } from "../load/probe.ts";
import type { TrialResult, Usage } from "../model/raw.ts";
import { limitedByGenerator, type ResultContext } from "./derive_results.ts";

const CONTEXT: ResultContext = {
  fallback: "stampede",
  cores: { machine: 2, server: 2, database: 2, generator: 2 },
  variants: ["a"],
  turns: new Map(),
  threads: new Map(),
  needs: new Map([["text", { queries: 0, moreQueries: 0, writes: 0 }]]),
};

/** Makes the usage of a program from the shares of a second that its busiest thread ran and waited. */
function used(ran: number, waited: number): Usage["server"] {
  return {
    userUs: ran * 1e6,
    systemUs: 0,
    busiestThread: ran,
    runQueueWait: waited,
    waitedUs: waited * 1e6,
    idleRssBytes: null,
    peakRssBytes: null,
  };
}

function piloted(
  generator: Usage["generator"],
  server: Usage["server"],
  database: Usage["database"] = null,
): string[] {
  const trialResult = {
    trial: {
      variant: "a",
      scenario: "text",
      purpose: "pilot",
      generator: "autocannon",
      load: { connections: 10, shards: 1, responses: null, open: null },
    },
    window: {
      measurement: { durationS: 1, statuses: { "200": 1000 }, slicesPerS: [], latency: null },
      usage: { durationS: 1, server, database, generator, machine: { idle: 0, steal: 0 } },
      probe: absent({ kind: "no-rehearsal" }),
      database: null,
      ceiling: null,
      beside: null,
    },
    failure: null,
  } as unknown as TrialResult;
  return [...limitedByGenerator([trialResult], CONTEXT)];
}

Deno.test("a load generator that runs as much as the server would be the bottleneck, also beside a compiler", () => {
  deepStrictEqual(piloted(used(0.96, 0.04), used(0.7, 0.04)), ["text"]);
  deepStrictEqual(piloted(used(0.48, 0.45), used(0.35, 0.3)), ["text"], "of half a machine");
  deepStrictEqual(piloted(used(0.37, 0.22), used(0.81, 0.16)), []);
  deepStrictEqual(piloted(used(0.18, 0.4), used(0.4, 0.55)), [], "of half a machine");
});

Deno.test("a load generator that hardly runs is no bottleneck, nor one that a database keeps waiting", () => {
  deepStrictEqual(piloted(used(0.02, 0.01), used(0.02, 0.01)), []);
  deepStrictEqual(piloted(used(0.5, 0.2), used(0.3, 0.2), used(0.9, 0.1)), []);
});
