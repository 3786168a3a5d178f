import { deepStrictEqual, notDeepStrictEqual, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../../scenarios/mod.ts";
import type { RunConfig, Scenario, Target, Trial } from "../model.ts";
import { estimateS, planTrials } from "./plan.ts";

const CONFIG: RunConfig = {
  targets: ["a", "b"],
  scenarios: SCENARIOS.map(({ id }) => id),
  generator: "autocannon",
  connections: null,
  defaultConnections: 10,
  durationS: 1.5,
  warmupS: 0.5,
  rounds: 3,
  seed: 1,
  serverEnv: {},
};

function target(id: string, scenarios: readonly Scenario[]): Target {
  return { id, scenarios: Object.fromEntries(scenarios.map(({ id }) => [id, {}])) } as Target;
}

const TARGETS = [target("a", SCENARIOS), target("b", SCENARIOS.slice(0, 2))];
const plan = (change: Partial<RunConfig> = {}): Trial[] =>
  planTrials({ ...CONFIG, ...change }, TARGETS, SCENARIOS);

Deno.test("planTrials measures every server at every scenario it implements, in every round", () => {
  const trials = plan();
  strictEqual(trials.length, 3 * (8 + 2));
  deepStrictEqual(trials.map(({ index }) => index), trials.map((_trial, i) => i));
  for (const round of [1, 2, 3]) {
    const ids = trials.filter((trial) => trial.round === round && trial.target === "a")
      .map(({ scenario }) => scenario);
    deepStrictEqual(ids.toSorted(), SCENARIOS.map(({ id }) => id).toSorted());
  }
});

Deno.test("planTrials shuffles by the seed alone", () => {
  deepStrictEqual(plan(), plan());
  notDeepStrictEqual(plan(), plan({ seed: 2 }));
  const orderOf = (round: number): string =>
    plan().filter((trial) => trial.round === round && trial.target === "a")
      .map(({ scenario }) => scenario).join();
  strictEqual(new Set([1, 2, 3].map(orderOf)).size, 3);
});

Deno.test("planTrials keeps a server's trials of a round together: it is started once", () => {
  const servers = plan().map(({ round, target }) => `${round} ${target}`);
  const changes = servers.filter((server, i) => server !== servers[i - 1]);
  strictEqual(changes.length, new Set(servers).size);
});

Deno.test("planTrials loads delay with its own connections over whole cycles", () => {
  const delay = (change: Partial<RunConfig>): unknown =>
    plan(change).find(({ scenario }) => scenario === "delay")?.load;
  const rest = { warmupS: 0.5, timeoutS: 10 };
  deepStrictEqual(delay({}), { connections: 100, durationS: 2, answers: 1000, ...rest });
  deepStrictEqual(delay({ durationS: 5 }), {
    ...{ connections: 100, durationS: 6, answers: 3000 },
    ...rest,
  });
  deepStrictEqual(delay({ connections: 7 }), {
    ...{ connections: 7, durationS: 2, answers: 70 },
    ...rest,
  });
});

Deno.test("estimateS counts windows, warm-up and starts", () => {
  strictEqual(estimateS([]), 0);
  const text = plan().filter(({ scenario, target }) => scenario === "text" && target === "a");
  strictEqual(estimateS(text).toFixed(1), "9.6"); // 3 x (1 + 0.5 + 1.5 + 0.2)
});
