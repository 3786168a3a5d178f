import { strictEqual } from "node:assert/strict";
import type { Follower, Standing } from "../analysis/standings.ts";
import { describeStanding } from "./standings.ts";

/** A standing at which each of the others is so many times worse than all leaders. */
function said(
  metric: Standing["metric"],
  leaders: readonly string[],
  factors: Readonly<Record<string, number>>,
  { behind = leaders, ...change }: Partial<Standing & Pick<Follower, "behind">> = {},
): string {
  const others = Object.entries(factors).map(([arm, factor]) => ({ arm, factor, behind }));
  return describeStanding({
    scenario: "text",
    connections: 10,
    perS: null,
    workers: 1,
    isLeague: false,
    isTie: true,
    metric,
    leaders,
    others,
    ...change,
  });
}

Deno.test("a standing by rate says how many times as fast the leaders are at least", () => {
  const of = said.bind(null, "requestsPerS");
  strictEqual(
    of(["bun", "deno"], { node: 1.94, express: 3.1 }),
    "bun and deno tie, both at least 1.9 x as fast as node, 3.1 x express",
  );
  strictEqual(of(["a", "b", "c"], { d: 2 }), "a, b and c tie, all at least 2.0 x as fast as d");
  strictEqual(of(["bun"], { node: 1.02 }), "bun is fastest: 1.02 x as fast as node");
  strictEqual(of(["bun", "deno"], {}), "bun and deno tie");
  strictEqual(of(["bun"], {}), "nothing is proven");
});

Deno.test("a standing by processor time says how much more the others need", () => {
  const of = said.bind(null, "serverCpuUs");
  strictEqual(
    of(["bun", "deno"], { node: 1.94, express: 3.1 }),
    "bun and deno tie; node needs at least 1.9 x their CPU, express 3.1 x",
  );
  strictEqual(
    of(["bun"], { node: 1.94, express: 3.1 }),
    "bun needs least CPU: node needs 1.9 x as much, express 3.1 x",
  );
});

Deno.test("a standing names four others, and says what is proven of some leaders alone", () => {
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

Deno.test("a standing calls no tie what could only not be told apart, and names its league", () => {
  strictEqual(
    said("requestsPerS", ["y", "z"], { a: 2 }, { isTie: false }),
    "y and z are not told apart, both at least 2.0 x as fast as a",
  );
  strictEqual(
    said("requestsPerS", ["z"], { a: 2 }, { isLeague: true, workers: 4 }),
    "with 4 workers, z is fastest: 2.0 x as fast as a",
  );
  strictEqual(
    said("requestsPerS", ["y", "z"], {}, { isLeague: true, workers: null }),
    "with any number of workers, y and z tie",
  );
});
