import { UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { State } from "../target/state.ts";
import { roundsToDecide } from "../analysis/judge.ts";
import { compose, type Side } from "./compose.ts";
import { type ExperimentOptions, FASTEST, RATIOS } from "./options.ts";

/** The arms of every such experiment, by their ids. */
export const BASE = "base";
export const HEAD = "head";

/**
 * Two states of a server, or two servers, at the scenarios that both implement, with as many rounds as
 * it takes to decide between them.
 *
 * The fastest load generator drives them unless another one is named: what a server does in spare time is
 * in its processor time, and hides part of a change.
 *
 * @throws {UsageError} if there is no scenario that both implement.
 */
export function versusExperiment(
  [base, head]: readonly [State, State],
  scenarios: readonly Scenario[],
  options: ExperimentOptions,
): Experiment {
  const common = scenarios.filter(({ id }) =>
    id in base.server.scenarios && id in head.server.scenarios
  );
  if (common.length === 0) {
    throw new UsageError("There is no scenario that both servers implement");
  }
  const side = (id: string, { server, label }: State): Side => ({
    id,
    label,
    // Neither is built on the other, and messages name the state
    server: { ...server, name: label, basedOn: null },
  });
  const sides = [side(BASE, base), side(HEAD, head)];
  const rounds = Math.max(
    RATIOS.rounds,
    roundsToDecide(common.length * (options.connections?.length ?? 1)),
  );
  const aim = { ...RATIOS, rounds, maxRounds: Math.max(RATIOS.maxRounds, rounds) };
  const asked = { generator: FASTEST, ...options };
  return compose("versus", { sides, scenarios: common }, asked, aim);
}
