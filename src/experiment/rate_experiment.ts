import { UsageError } from "../model/errors.ts";
import type { Experiment } from "../model/experiment.ts";
import { compose } from "./compose.ts";
import {
  BUILT_IN_GENERATOR,
  type ExperimentOptions,
  openPlanOf,
  type Rates,
  RESPONSES,
  WINDOWS,
} from "./options.ts";
import type { Selection } from "./select.ts";

/** The slowest server's rates in a closed loop, in requests per second, by scenario. */
export type ClosedLoopRates = Readonly<Record<string, number>>;

/** Length of a window that measures the rate in a closed loop, in seconds. */
const CLOSED_LOOP_S = 1;
/**
 * Number of significant digits of a rate that is a share of the closed-loop rate, which is not more precise.
 */
const DIGITS = 3;

/**
 * Makes an experiment that measures response times and CPU time at given rates.
 *
 * @param closedLoopPerS closed-loop rate of every scenario, if the requested rates are shares of it
 * @throws {UsageError} for a load generator that cannot send at a rate, and for several numbers of
 *   connections.
 */
export function rateExperiment(
  { servers, scenarios }: Selection,
  options: ExperimentOptions,
  rates: Rates,
  closedLoopPerS: ClosedLoopRates = {},
): Experiment {
  const { generator, connections } = options;
  if (generator !== undefined && generator !== BUILT_IN_GENERATOR) {
    throw new UsageError(
      `${generator} cannot send at a --rate here: leave out --generator, or use ${BUILT_IN_GENERATOR}`,
    );
  }
  if ((connections?.length ?? 0) > 1) {
    throw new UsageError("Cannot measure several --connections and a --rate at once");
  }
  const variantSpecs = servers.map((server) => ({ server, generator: BUILT_IN_GENERATOR }));
  const perS = Object.fromEntries(scenarios.map(({ id, beside }) => {
    const asked = ratesAt(rates, closedLoopPerS[id]);
    return [id, asked.length === 0 && beside !== undefined ? [beside.perS] : asked];
  }));
  const load = openPlanOf(options, { perS, closedLoopPerS });
  return compose("rate", { variantSpecs, scenarios }, options, RESPONSES, load);
}

/**
 * Makes a short experiment that measures rates in a closed loop. It runs first if the requested rates are
 * shares of the closed-loop rate.
 */
export function pilotExperiment(
  { servers, scenarios }: Selection,
  options: ExperimentOptions,
): Experiment {
  const { connections: _connections, profile: _profile, ...others } = options;
  const variantSpecs = servers.map((server) => ({ server, generator: BUILT_IN_GENERATOR }));
  const once = { ...others, duration: CLOSED_LOOP_S, rounds: 1, maxRounds: 1, budget: 0 };
  return compose("run", { variantSpecs, scenarios }, once, WINDOWS);
}

function ratesAt({ perS, shares }: Rates, closedLoop: number | undefined): number[] {
  const own = closedLoop === undefined ? [] : shares.map((share) => share * closedLoop);
  const all = [...perS, ...own.map((rate) => Number(rate.toPrecision(DIGITS)))];
  return [...new Set(all)].sort((a, b) => a - b);
}
