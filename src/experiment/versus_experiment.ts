import { UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { State } from "../target/state.ts";
import { roundsToDecide } from "../analysis/judge_changes.ts";
import { compose, type VariantSpec } from "./compose.ts";
import { BUILT_IN_GENERATOR, type ExperimentOptions, RATIOS } from "./options.ts";

/** The variants of every such experiment, by their ids. */
export const BASE = "base";
export const HEAD = "head";
/** Each scenario is compared by the CPU time for a response, the rate and the median latency. */
const METRICS = 3;

/**
 * Two states of a server, or two servers, at the scenarios that both implement, with as many rounds as
 * it takes to decide between them.
 *
 * What cannot be measured in slices is driven by Stampede's own load generator unless another one is named:
 * under one that is slow, a server has time to spare, which hides part of a change.
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
  const side = (id: string, { server, label }: State): VariantSpec => ({
    id,
    label,
    // Neither is built on the other, and messages name the state
    server: { ...server, name: label, basedOn: null },
  });
  const variantSpecs = [side(BASE, base), side(HEAD, head)];
  const rounds = Math.max(
    RATIOS.rounds,
    roundsToDecide(METRICS * common.length * (options.connections?.length ?? 1)),
  );
  const aim = { ...RATIOS, rounds, maxRounds: Math.max(RATIOS.maxRounds, rounds) };
  const asked = { generator: BUILT_IN_GENERATOR, ...options };
  return compose("versus", { variantSpecs, scenarios: common }, asked, aim);
}
