import { UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { State } from "../target/state.ts";
import { roundsToDecide } from "../analysis/judge_changes.ts";
import { compose, type VariantSpec } from "./compose.ts";
import { BUILT_IN_GENERATOR, type ExperimentOptions, RATIOS } from "./options.ts";

/** Id of the variant with which the other one is compared. */
export const BASE = "base";
/** Id of the variant that is compared with {@linkcode BASE}. */
export const HEAD = "head";
/** Number of compared metrics for each scenario: CPU time per response, rate and median latency. */
const METRICS = 3;

/**
 * Makes an experiment that compares two revisions of a server, or two servers. It uses the scenarios that
 * both implement, and enough rounds for a decision.
 *
 * If a scenario cannot be measured in slices, the generator `stampede` drives its windows, unless the user
 * names another one. A slow generator would leave the server idle and hide part of a change.
 *
 * @throws {UsageError} if no scenario is implemented by both.
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
  const specOf = (id: string, { server, label }: State): VariantSpec => ({
    id,
    label,
    // Neither is based on the other, and messages name the revision
    server: { ...server, name: label, basedOn: null },
  });
  const variantSpecs = [specOf(BASE, base), specOf(HEAD, head)];
  const rounds = Math.max(
    RATIOS.rounds,
    roundsToDecide(METRICS * common.length * (options.connections?.length ?? 1)),
  );
  const aim = { ...RATIOS, rounds, maxRounds: Math.max(RATIOS.maxRounds, rounds) };
  const asked = { generator: BUILT_IN_GENERATOR, ...options };
  return compose("versus", { variantSpecs, scenarios: common }, asked, aim);
}
