import { deepStrictEqual, notDeepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../../scenarios/mod.ts";
import type { Design, LoadPlan, Trial } from "../model/experiment.ts";
import { estimateS, Planner } from "./plan.ts";
import { armOf, experimentOf } from "./testdata.ts";

type Change = Partial<LoadPlan & Design>;

const ARMS = [armOf("a", SCENARIOS), armOf("b", SCENARIOS.slice(0, 2))];
const planner = (change: Change = {}): Planner =>
  new Planner(experimentOf(ARMS, SCENARIOS, change));
const plan = (change: Change = {}): Trial[] => planner(change).firstRounds();

Deno.test("Planner measures every server at every scenario it implements, in every round", () => {
  const trials = plan();
  strictEqual(trials.length, 3 * (SCENARIOS.length + 2));
  deepStrictEqual(trials.map(({ index }) => index), trials.map((_trial, i) => i));
  for (const round of [1, 2, 3]) {
    const ids = trials.filter((trial) => trial.round === round && trial.arm === "a")
      .map(({ scenario }) => scenario);
    deepStrictEqual(ids.toSorted(), SCENARIOS.map(({ id }) => id).toSorted());
  }
});

Deno.test("Planner shuffles by the seed alone", () => {
  deepStrictEqual(plan(), plan());
  notDeepStrictEqual(plan(), plan({ seed: 2 }));
});

Deno.test("Planner shuffles for every other round, and reverses for the one after it", () => {
  const trials = plan({ rounds: 6 });
  const orderOf = (round: number, arm: string): string[] =>
    trials.filter((trial) => trial.round === round && trial.arm === arm)
      .map(({ scenario }) => scenario);
  for (const [shuffled, reversed] of [[1, 2], [3, 4], [5, 6]] as const) {
    deepStrictEqual(orderOf(reversed, "a"), orderOf(shuffled, "a").toReversed());
  }
  strictEqual(new Set([1, 3, 5].map((round) => orderOf(round, "a").join())).size, 3);
  const servers = (round: number): string[] => [
    ...new Set(trials.filter((trial) => trial.round === round).map(({ arm }) => arm)),
  ];
  deepStrictEqual(servers(2), servers(1).toReversed());
});

Deno.test("Planner goes on with the rounds of what is wanted, and with scale tests", () => {
  const own = planner();
  const first = own.firstRounds();
  const next = own.nextRound(({ scenario }) => scenario === "json");
  deepStrictEqual(next.map(({ round, scenario }) => [round, scenario]), [[4, "json"], [4, "json"]]);
  const scale = own.scaleTest({ arm: "b", scenario: "text", connections: 10 });
  deepStrictEqual(scale.map(({ load }) => load.shards), [1, 2, 2, 1, 1, 2]);
  ok(
    scale.every(({ purpose, arm, round }) => purpose === "scale" && arm === "b" && round === 5),
  );
  const indices = [...first, ...next, ...scale].map(({ index }) => index);
  deepStrictEqual(indices, indices.map((_index, i) => i));
});

Deno.test("Planner keeps a server's trials of a round together: it is started once", () => {
  const servers = plan().map(({ round, arm }) => `${round} ${arm}`);
  const changes = servers.filter((server, i) => server !== servers[i - 1]);
  strictEqual(changes.length, new Set(servers).size);
});

Deno.test("Planner loads delay with its own connections over whole cycles", () => {
  const delay = (change: Change): unknown =>
    plan(change).find(({ scenario }) => scenario === "delay")?.load;
  const rest = { shards: 1, warmupS: 0.5, timeoutS: 10 };
  deepStrictEqual(delay({}), { connections: 100, durationS: 2, answers: 1000, ...rest });
  deepStrictEqual(delay({ durationS: 5 }), {
    connections: 100,
    durationS: 6,
    answers: 3000,
    ...rest,
  });
  deepStrictEqual(delay({ connections: [7] }), {
    connections: 7,
    durationS: 2,
    answers: 70,
    ...rest,
  });
});

Deno.test("Planner measures a scenario under each number of connections of a sweep", () => {
  const trials = plan({ connections: [1, 10, 100], rounds: 2 });
  strictEqual(trials.length, 2 * 3 * (SCENARIOS.length + 2));
  const delay = trials.filter(({ scenario, round }) => scenario === "delay" && round === 1);
  deepStrictEqual(
    delay.map(({ load }) => [load.connections, load.answers]).sort(([a], [b]) =>
      Number(a) - Number(b)
    ),
    [[1, 10], [10, 100], [100, 1000]],
  );
  const json = planner({ connections: [1, 10] }).nextRound((key) =>
    key.scenario === "json" && key.connections === 10
  );
  deepStrictEqual(json.map(({ load }) => load.connections), [10, 10]);
});

Deno.test("estimateS counts windows, warm-up and starts", () => {
  strictEqual(estimateS([]), 0);
  const text = plan().filter(({ scenario, arm }) => scenario === "text" && arm === "a");
  strictEqual(estimateS(text).toFixed(1), "9.6"); // 3 x (1 + 0.5 + 1.5 + 0.2)
});
