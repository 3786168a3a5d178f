import { SCENARIOS } from "../../scenarios/mod.ts";
import { mixScenarios } from "../../scenarios/mix.ts";
import { UsageError } from "../model/errors.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import { oneLine } from "../model/text.ts";

/**
 * Parses a mix, such as `db=80,updates=20`.
 *
 * @param own the user's scenarios, which a mix may contain
 * @throws {UsageError} if the text is not a mix.
 */
export function readMix(text: string, own: readonly Scenario[] = []): Scenario {
  return mixScenarios(
    text.split(",").map((part) => {
      const [, id, weight] = /^\s*([\w./-]+)\s*=\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(part) ?? [];
      if (id === undefined) {
        throw new UsageError(
          `Cannot read "${oneLine(part).slice(0, 40)}" of --mix: write it as db=80,updates=20`,
        );
      }
      const scenario = [...own, ...SCENARIOS].find((one) => one.id === id);
      if (scenario === undefined) {
        throw new UsageError(`Cannot read --mix: there is no scenario "${id}"`);
      }
      return { scenario, weight: Number(weight) };
    }),
  );
}

/** Adds to a server each mix of which it implements all parts. */
export function withMixes(server: Server, scenarios: readonly Scenario[]): Server {
  const own = scenarios.filter(({ mix }) =>
    mix?.every(({ scenario }) => scenario.id in server.scenarios)
  );
  if (own.length === 0) return server;
  const mixes = Object.fromEntries(own.map(({ id }) => [id, {}]));
  return { ...server, scenarios: { ...server.scenarios, ...mixes } };
}
