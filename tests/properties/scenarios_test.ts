import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { scenarioOf } from "../../src/experiment/scenario_file.ts";
import { encodeRequest } from "../../src/load/driver/load_client.ts";
import { UsageError } from "../../src/model/errors.ts";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { accepted, damagedJson, holds } from "./inputs.ts";

const PATH = "mine.ts";
const DELAY = SCENARIOS.find(({ id }) => id === "delay");
const { checks = [], underLoad, expect, ...data } = { ...DELAY, id: "mine" };
/** A scenario with all properties, and one with only the required ones. */
const WHOLE = [data, { id: "mine", request: { path: "/x?y=1" } }] as const;

/** Mostly valid values, because an invalid part hides later ones. */
function mostly<T>(right: T): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(right) }, fc.anything());
}

holds(
  "a damaged scenario is refused, or can be measured",
  fc.record({
    data: fc.oneof(...WHOLE.map((whole) => damagedJson(whole))),
    functions: fc.oneof(
      fc.record({ expect: mostly(expect) }),
      fc.record({ checks: mostly(checks), underLoad: mostly(underLoad), expect: mostly(expect) }),
    ),
  }),
  async ({ data, functions }) => {
    const exported = typeof data === "object" && data !== null ? { ...data, ...functions } : data;
    const scenario = await accepted(() => {
      try {
        return scenarioOf(PATH, exported);
      } catch (error) {
        if (error instanceof UsageError) {
          ok(error.message.includes(PATH) && !error.message.includes("\n"), error.message);
        }
        throw error;
      }
    }, UsageError);
    if (scenario === undefined) return;
    const { connections, warmupS, cycle, queries } = scenario;
    for (const number of [connections, warmupS, queries, cycle?.every, cycle?.waitS]) {
      ok(typeof number !== "number" || number >= 0 && number < Infinity, String(number));
    }
    ok(encodeRequest("http://127.0.0.1:1", scenario.request).length > 0);
    deepStrictEqual(scenarioOf(PATH, { ...scenario }), { ...scenario });
  },
);
