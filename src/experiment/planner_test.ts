import { deepStrictEqual, notDeepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../../scenarios/mod.ts";
import type { Block } from "../model/block.ts";
import type { Design, LoadPlan, Trial, Variant } from "../model/experiment.ts";
import { estimateS } from "./durations.ts";
import { Planner } from "./planner.ts";
import { experimentOf, variantOf } from "./experiment_testdata.ts";

type Change = Partial<LoadPlan & Design>;

const VARIANTS = [variantOf("a", SCENARIOS), variantOf("b", SCENARIOS.slice(0, 2))];
const planner = (change: Change = {}): Planner =>
  new Planner(experimentOf(VARIANTS, SCENARIOS, change));
const plan = (change: Change = {}): readonly Trial[] => planner(change).firstRounds().trials;

Deno.test("Planner measures every server at every scenario it implements, in every round", () => {
  const trials = plan();
  strictEqual(trials.length, 3 * (SCENARIOS.length + 2));
  deepStrictEqual(trials.map(({ index }) => index), trials.map((_trial, i) => i));
  for (const round of [1, 2, 3]) {
    const ids = trials.filter((trial) => trial.round === round && trial.variant === "a")
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
  const orderOf = (round: number, variant: string): string[] =>
    trials.filter((trial) => trial.round === round && trial.variant === variant)
      .map(({ scenario }) => scenario);
  for (const [shuffled, reversed] of [[1, 2], [3, 4], [5, 6]] as const) {
    deepStrictEqual(orderOf(reversed, "a"), orderOf(shuffled, "a").toReversed());
  }
  strictEqual(new Set([1, 3, 5].map((round) => orderOf(round, "a").join())).size, 3);
  const servers = (round: number): string[] => [
    ...new Set(trials.filter((trial) => trial.round === round).map(({ variant }) => variant)),
  ];
  deepStrictEqual(servers(2), servers(1).toReversed());
});

Deno.test("Planner goes on with the rounds of what is wanted, and with scale tests", () => {
  const own = planner();
  const { trials: first } = own.firstRounds();
  const { trials: next } = own.nextRound({
    windows: ({ scenario }) => scenario === "json",
    slices: () => true,
  });
  deepStrictEqual(next.map(({ round, scenario }) => [round, scenario]), [[4, "json"], [4, "json"]]);
  const { trials: scale } = own.scaleTest(
    { variant: "b", scenario: "text", connections: 10, perS: null },
    "shards",
  );
  deepStrictEqual(scale.map(({ load }) => load.shards), [1, 2, 2, 1, 1, 2]);
  ok(
    scale.every(({ purpose, variant, round }) =>
      purpose === "scale" && variant === "b" && round === 5
    ),
  );
  const key = { variant: "b", scenario: "text", connections: 10, perS: null };
  const { trials: more } = own.scaleTest(key, "connections");
  deepStrictEqual(more.map(({ load }) => load.connections), [10, 20, 20, 10, 10, 20]);
  ok(
    more.every(({ workloadConnections }) => workloadConnections === 10),
    "they are of the same result",
  );
  const indices = [...first, ...next, ...scale, ...more].map(({ index }) => index);
  deepStrictEqual(indices, indices.map((_index, i) => i));
});

Deno.test("Planner probes what takes no whole cycles and has a choice of generators, before the first round", () => {
  const { variants, scenarios, load, design } = experimentOf(VARIANTS, SCENARIOS, {
    fallback: "stampede",
  });
  const own = new Planner({ variants, reference: null, scenarios, load, design });
  const { trials } = own.pilots();
  strictEqual(trials.some(({ scenario }) => scenario === "delay"), false);
  deepStrictEqual(
    trials.map(({ variant, scenario }) => `${variant} ${scenario}`).toSorted(),
    [...new Set(plan().map(({ variant, scenario }) => `${variant} ${scenario}`))]
      .filter((name) => !/ (delay|plaintext|websocket)$/.test(name)).toSorted(),
  );
  ok(trials.every(({ purpose, load: { durationS } }) => purpose === "pilot" && durationS === 0.3));
  const { trials: first } = own.firstRounds();
  deepStrictEqual(first[0]?.index, trials.length);
  deepStrictEqual(first[0]?.round, 1);
  deepStrictEqual(planner().pilots().trials, [], "nothing takes over");
});

Deno.test("Planner keeps windows and blocks of a process together, in the order of measurement", () => {
  const change = { connections: [1, 10], rounds: 2, slices: SLICES };
  const several = planner(change).firstRounds();
  const alone = new Planner(experimentOf(VARIANTS.slice(0, 1), SCENARIOS, change)).firstRounds();
  const contiguous = <T>(all: readonly T[], ...keysOf: readonly ((one: T) => string)[]): void => {
    for (const keyOf of keysOf) {
      const keys = all.map(keyOf);
      const changes = keys.filter((key, i) => key !== keys[i - 1]);
      deepStrictEqual(changes, [...new Set(keys)]);
    }
  };
  const ofScenario = ({ round, scenario }: Trial | Block): string => `${round} ${scenario}`;
  contiguous(several.trials, ofScenario, (trial) => `${ofScenario(trial)} ${trial.variant}`);
  contiguous(several.blocks, ofScenario);
  const running = VARIANTS.map((variant) => ({
    ...variant,
    server: { ...variant.server, attached: { origin: "http://127.0.0.1:1", pid: null } },
  }));
  const atUrls = new Planner(experimentOf(running, SCENARIOS, change)).firstRounds();
  for (const { trials } of [alone, atUrls]) {
    contiguous(trials, ({ round, variant }) => `${round} ${variant}`);
  }
  const scenarios = (
    all: readonly (Trial | Block)[],
  ): string[] => [...new Set(all.map(ofScenario))];
  const isOfBoth = (id: string): boolean => SCENARIOS.slice(0, 2).some((one) => one.id === id);
  deepStrictEqual(
    scenarios(several.blocks),
    scenarios(several.trials.filter(({ scenario }) => isOfBoth(scenario))),
  );
  const probes = planner({ ...change, fallback: "stampede" }).pilots().trials;
  contiguous(probes, ofScenario);
});

Deno.test("Planner loads delay with its own connections over whole cycles", () => {
  const delay = (change: Change): unknown =>
    plan(change).find(({ scenario }) => scenario === "delay")?.load;
  const rest = { shards: 1, warmupS: 0.5, mostWarmupS: 0.5, timeoutS: 10, open: null };
  deepStrictEqual(delay({}), { connections: 100, durationS: 2, responses: 1000, ...rest });
  deepStrictEqual(delay({ durationS: 5 }), {
    connections: 100,
    durationS: 6,
    responses: 3000,
    ...rest,
  });
  deepStrictEqual(delay({ connections: [7] }), {
    connections: 7,
    durationS: 2,
    responses: 70,
    ...rest,
  });
});

Deno.test("Planner measures a scenario under each number of connections of a sweep", () => {
  const trials = plan({ connections: [1, 10, 100], rounds: 2 });
  strictEqual(trials.length, 2 * 3 * (SCENARIOS.length + 2));
  const delay = trials.filter(({ scenario, round }) => scenario === "delay" && round === 1);
  deepStrictEqual(
    delay.map(({ load }) => [load.connections, load.responses]).sort(([a], [b]) =>
      Number(a) - Number(b)
    ),
    [[1, 10], [10, 100], [100, 1000]],
  );
  const { trials: json } = planner({ connections: [1, 10] }).nextRound({
    windows: (key) => key.scenario === "json" && key.connections === 10,
    slices: () => true,
  });
  deepStrictEqual(json.map(({ load }) => load.connections), [10, 10]);
});

Deno.test("estimateS counts windows, warm-up and starts", () => {
  strictEqual(estimateS({ trials: [], blocks: [] }), 0);
  const text = plan().filter(({ scenario, variant }) => scenario === "text" && variant === "a");
  strictEqual(estimateS({ trials: text, blocks: [] }).toFixed(1), "9.6"); // 3 x (1 + 0.5 + 1.5 + 0.2)
});

const SLICES = { durationS: 1.5, sliceMs: 10, responses: 50 };

/** Plans rounds and returns short forms of their blocks and windows. */
function sliced(change: Change, reference: string | null = null): Planner {
  const usual = experimentOf(VARIANTS, SCENARIOS, { rounds: 1, slices: SLICES, ...change });
  const own = reference === null ? null : variantOf(reference, SCENARIOS);
  return new Planner({ ...usual, reference: own });
}

Deno.test("Planner has slices of what variants share, and windows alone of what answers in waves", () => {
  const { trials, blocks } = sliced({ ratiosOnly: true }).firstRounds();
  deepStrictEqual(trials.map(({ variant, scenario }) => [variant, scenario]), [["a", "delay"]]);
  const [one, two] = SCENARIOS;
  deepStrictEqual(
    blocks.map(({ scenario, variants }) => [scenario, variants.toSorted()]).toSorted(),
    [[one?.id, ["a", "b"]], [two?.id, ["a", "b"]]].toSorted(),
    "one variant alone has nothing to be compared with",
  );
  const [block] = blocks;
  deepStrictEqual([block?.warmupS, block?.durationS, block?.connections], [0.5, 1.5, 10]);
});

Deno.test("Planner warms up a server with a longer warm-up before the others", () => {
  const [a, b] = VARIANTS as [Variant, Variant];
  const slow = { ...b, server: { ...b.server, warmupS: 6 } };
  const usual = experimentOf([a, slow], SCENARIOS, { rounds: 1, slices: SLICES, ratiosOnly: true });
  const { blocks } = new Planner(usual).firstRounds();
  deepStrictEqual(blocks.map(({ warmupS, mostWarmupS }) => [warmupS, mostWarmupS]), [
    [0.5, 6.5],
    [0.5, 6.5],
  ], "its warm-up may double");
  deepStrictEqual(blocks.map(({ earlyS }) => earlyS), [{ b: 5.5 }, { b: 5.5 }]);
  strictEqual(estimateS({ trials: [], blocks }), 1 + 2 * (5.5 + 2 * (0.5 + 1.5) + 0.2));
  const alone = experimentOf([slow], SCENARIOS, { rounds: 1, slices: SLICES });
  const ownLoads = (change: Change): [number, number][] =>
    new Planner(experimentOf([a, slow], SCENARIOS.slice(0, 1), { rounds: 1, ...change }))
      .firstRounds().trials
      .toSorted((x, y) => x.variant < y.variant ? -1 : 1)
      .map(({ load }) => [load.warmupS, load.mostWarmupS]);
  deepStrictEqual(ownLoads({}), [[0.5, 5.5], [6, 12]]);
  deepStrictEqual(ownLoads({ warmupS: 2 }), [[2, 2], [2, 2]], "an asked length is fixed");
  const reference = variantOf("reference", SCENARIOS);
  const [first, ...others] = new Planner({ ...alone, reference }).firstRounds().blocks;
  deepStrictEqual([first?.warmupS, first?.earlyS], [0.5, {}], "its windows have warmed it up");
  deepStrictEqual(
    others.map(({ warmupS, earlyS }) => [warmupS, earlyS]),
    [[0.5, {}]],
    "the reference is fresh at each scenario",
  );
});

Deno.test("Planner measures every variant beside the reference, and beside windows of its own", () => {
  const { trials, blocks } = sliced({}, "reference").firstRounds();
  strictEqual(trials.length, SCENARIOS.length + 2);
  strictEqual(blocks.length, SCENARIOS.filter(({ cycle }) => cycle === null).length);
  ok(blocks.every(({ variants }) => variants.at(-1) === "reference"));
  const own = blocks.filter(({ scenario }) => scenario === "text");
  strictEqual(estimateS({ trials: [], blocks: own }), 1 + 3 * (0.5 + 1.5) + 0.2);
});

Deno.test("Planner measures again, in rounds that count for nothing else", () => {
  const planner = sliced({ ratiosOnly: true });
  planner.firstRounds();
  const { trials, blocks } = planner.confirmation(({ scenario }) => scenario === SCENARIOS[0]?.id);
  deepStrictEqual(trials, []);
  deepStrictEqual(blocks.map(({ purpose, round }) => [purpose, round]), [["confirm", 2]]);
});

Deno.test("Planner spares many servers windows of most rounds, where slices tell them apart", () => {
  const scenarios = SCENARIOS.filter(({ id }) => ["text", "delay"].includes(id));
  const variants = ["a", "b", "c", "d"].map((id) => variantOf(id, scenarios));
  const slices = { durationS: 0.3, sliceMs: 10, responses: 50 };
  const roundsOf = (scenario: string, change: Change, count = variants.length): number[] => {
    const experiment = experimentOf(variants.slice(0, count), scenarios, { rounds: 8, ...change });
    const { trials } = new Planner(experiment).firstRounds();
    const own = trials.filter((trial) => trial.variant === "a" && trial.scenario === scenario);
    return own.map(({ round }) => round);
  };
  const all = [1, 2, 3, 4, 5, 6, 7, 8];
  deepStrictEqual(roundsOf("text", { slices }), [1, 4, 7]);
  deepStrictEqual(roundsOf("delay", { slices }), all, "it is in no slices");
  deepStrictEqual(roundsOf("text", { slices }, 3), all);
  deepStrictEqual(roundsOf("text", {}), all);
});
