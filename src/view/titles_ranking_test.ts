import { strictEqual } from "node:assert/strict";
import type { Follower, Ranking } from "../analysis/rankings.ts";
import { describeRanking } from "./titles.ts";

/** Describes a ranking in which each other server is worse than all leaders by its factor. */
function said(
  metric: Ranking["metric"],
  leaders: readonly string[],
  factors: Readonly<Record<string, number>>,
  { behind = leaders, ...change }: Partial<Ranking & Pick<Follower, "behind">> = {},
): string {
  const others = Object.entries(factors).map(([variant, factor]) => ({
    variant,
    factor,
    behind,
    confidenceInterval: null,
  }));
  return describeRanking({
    scenario: "text",
    connections: 10,
    perS: null,
    workers: 1,
    hasOtherWorkerGroups: false,
    isTie: true,
    metric,
    leaders,
    others,
    rival: null,
    ...change,
  });
}

Deno.test("a ranking by rate says how many times as fast the leaders are at least", () => {
  const of = said.bind(null, "requestsPerS");
  strictEqual(
    of(["bun", "deno"], { node: 1.94, express: 3.1 }),
    "bun and deno tie, both about 1.9 x as fast as node, 3.1 x express",
  );
  strictEqual(of(["a", "b", "c"], { d: 2 }), "a, b and c tie, all about 2.0 x as fast as d");
  strictEqual(of(["bun"], { node: 1.02 }), "bun is fastest: 1.02 x as fast as node");
  strictEqual(of(["bun", "deno"], {}), "bun and deno tie");
  strictEqual(of(["bun"], {}), "nothing is proven");
});

Deno.test("a ranking by CPU time says how much more the others need", () => {
  const of = said.bind(null, "serverCpuUs");
  strictEqual(
    of(["bun", "deno"], { node: 1.94, express: 3.1 }),
    "bun and deno tie; node needs about 1.9 x their CPU, express 3.1 x",
  );
  strictEqual(
    of(["bun"], { node: 1.94, express: 3.1 }),
    "bun needs least CPU: node needs 1.9 x as much, express 3.1 x",
  );
});

Deno.test("a ranking names four others, and says what is proven of some leaders alone", () => {
  const five = { a: 2, b: 3, c: 4, d: 5, e: 6, f: 7 };
  strictEqual(
    said("requestsPerS", ["z"], five),
    "z is fastest: 2.0 x as fast as a, 3.0 x b, 4.0 x c, 5.0 x d, and 2 more",
  );
  strictEqual(
    said("requestsPerS", ["y", "z"], { a: 1.1 }, { behind: ["z"] }),
    "y and z tie; z is 1.1 x as fast as a",
  );
  strictEqual(
    said("serverCpuUs", ["y", "z"], { a: 1.3 }, { behind: ["z"] }),
    "y and z tie; a needs 1.3 x the CPU of z",
  );
});

Deno.test("a ranking calls no tie what could only not be told apart, and names its worker group", () => {
  strictEqual(
    said("requestsPerS", ["y", "z"], { a: 2 }, { isTie: false }),
    "y and z do not differ significantly, both about 2.0 x as fast as a",
  );
  strictEqual(
    said("requestsPerS", ["z"], { a: 2 }, { hasOtherWorkerGroups: true, workers: 4 }),
    "with 4 workers, z is fastest: 2.0 x as fast as a",
  );
  strictEqual(
    said("requestsPerS", ["y", "z"], {}, { hasOtherWorkerGroups: true, workers: null }),
    "with any number of workers, y and z tie",
  );
});

Deno.test("ratios have their intervals, with decimals that show them", () => {
  const of = (factor: number, low: number, high: number): string =>
    said("serverCpuUs", ["bun"], {}, {
      others: [{ variant: "deno", factor, behind: ["bun"], confidenceInterval: { low, high } }],
    });
  strictEqual(
    of(1.08, 1.03, 1.13),
    "bun needs least CPU: deno needs 1.08 x (1.03 to 1.13) as much",
  );
  strictEqual(
    of(1.2, 1.04, 1.4),
    "bun needs least CPU: deno needs 1.20 x (1.04 to 1.40) as much",
  );
  strictEqual(of(1.94, 1.8, 2.1), "bun needs least CPU: deno needs 1.9 x (1.8 to 2.1) as much");
  strictEqual(
    of(1.94, 1.93, 1.95),
    "bun needs least CPU: deno needs 1.94 x (1.93 to 1.95) as much",
  );
});

Deno.test("of several leaders, only the lower end of the interval is claimed, rounded down", () => {
  const of = (metric: Ranking["metric"], low: number, high: number): string =>
    said(metric, ["bun", "deno"], {}, {
      others: [{
        variant: "node",
        factor: 1.94,
        behind: ["bun", "deno"],
        confidenceInterval: { low, high },
      }],
    });
  strictEqual(
    of("serverCpuUs", 1.79, 2.1),
    "bun and deno tie; node needs at least 1.7 x their CPU",
  );
  strictEqual(
    of("requestsPerS", 1.057, 2.8),
    "bun and deno tie, both at least 1.05 x as fast as node",
  );
  strictEqual(
    of("requestsPerS", 1.8, 2.1),
    "bun and deno tie, both at least 1.8 x as fast as node",
  );
  for (const [low, shown] of [[1.0999, "1.09"], [1.0049, "1.004"], [1.0002, "1.0002"]] as const) {
    const text = `bun and deno tie, both at least ${shown} x as fast as node`;
    strictEqual(of("requestsPerS", low, 2.1), text);
  }
});

Deno.test("the best by rate and the best by CPU are told apart", () => {
  const rival = {
    variant: "deno",
    leader: "bun",
    factor: 1.2,
    confidenceInterval: { low: 1.1, high: 1.3 },
  };
  strictEqual(
    said("serverCpuUs", ["bun"], { deno: 1.5 }, { rival: { ...rival, metric: "requestsPerS" } }),
    "bun needs least CPU: deno needs 1.5 x as much; " +
      "deno has the highest rate, 1.2 x (1.1 to 1.3) that of bun",
  );
  strictEqual(
    said("requestsPerS", ["bun"], { deno: 1.5 }, { rival: { ...rival, metric: "serverCpuUs" } }),
    "bun is fastest: 1.5 x as fast as deno; deno needs least CPU, bun 1.2 x (1.1 to 1.3) as much",
  );
});
