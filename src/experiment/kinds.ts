/** Makes experiments from drafts, or throws a `UsageError`; `preset.ts` makes those of presets. */
import { LOOKS, roundsToDecide } from "../analysis/changes.ts";
import { comparisonsOf } from "../model/costs.ts";
import { UsageError } from "../model/errors.ts";
import type { Experiment, OpenPlan, Slo } from "../model/experiment.ts";
import { METRICS } from "../model/figures.ts";
import type { Release, Server } from "../model/server.ts";
import { nameOf, onRelease } from "../target/runtimes.ts";
import type { State } from "../target/state.ts";
import {
  type Aim,
  BUILT_IN_GENERATOR,
  compose,
  FIGURES,
  type VariantSpec,
  WINDOWS,
} from "./compose.ts";
import type { Draft } from "./options.ts";

/** With this number of servers or more, windows in every round would take most of the time. */
export const MANY = 4;
/** Measures {@linkcode MANY} variants or more: in more rounds, only some of which have windows. */
const FIGURES_OF_MANY: Aim = { ...FIGURES, rounds: 8, slices: 0.2 };
/** Measures response times at rates. No fallback is needed: only one generator can send at a rate. */
const RESPONSES: Aim = { ...FIGURES, rounds: 3, maxRounds: 3, fallback: null, slices: null };
/** Searches for the highest rate that meets an SLO, to within `width` of a rate that misses it. */
const SEARCH: Aim = { ...RESPONSES, rounds: 1, maxRounds: 1, width: 0.1 };
/** Fractions of the capacity at which response times are measured. The last overloads the server. */
const CURVE_SHARES = [0.25, 0.5, 0.75, 0.9, 1.2];
/**
 * Measures ratios until there is a verdict. The evidence for the lengths and numbers of rounds is in
 * docs/evidence/2026-11-25-verdicts.md.
 */
const RATIOS: Aim = {
  rounds: 10,
  maxRounds: 20,
  width: 0.01,
  until: "verdict",
  budgetShare: 1,
  ratiosOnly: true,
  fallback: null,
  slices: 2 / 3,
  needsAll: true,
  counts: true,
  differences: "changed",
};

/** Compares neighbours among many variants. Windows in some rounds give response times and memory. */
const STEPS: Aim = { ...FIGURES, fallback: null, slices: 0.4, rounds: 10, budgetShare: 0 };

/** Makes an experiment that measures each server at each scenario. */
export function runExperiment(draft: Draft): Experiment {
  const { servers, isSliced } = draft;
  const aim = servers.length >= MANY && isSliced ? FIGURES_OF_MANY : FIGURES;
  return compose("run", draft, servers.map((server) => ({ server })), aim);
}

/** Compares servers with themselves at several numbers of workers, with the same database connections. */
export function scalingExperiment(draft: Draft, workers: readonly number[]): Experiment {
  const fixed = draft.servers.filter(({ workers }) => workers !== "configurable");
  if (fixed.length > 0) {
    const names = fixed.map(({ id }) => id).join(", ");
    throw new UsageError(
      `Cannot set --workers of ${names}: choose servers with a configurable number, such as deno-workers`,
    );
  }
  const variantSpecs = draft.servers.flatMap((server) =>
    workers.map((count): VariantSpec => ({
      server,
      id: `${server.id}-x${count}`,
      label: `${server.name}, ${count === 1 ? "1 worker" : `${count} workers`}`,
      env: { WORKERS: String(count) },
    }))
  );
  return compose("scaling", draft, variantSpecs, FIGURES);
}

/** Requested rates of open loops. */
export interface Rates {
  readonly perS: readonly number[];
  /** Rates as shares of the slowest server's rate in a closed loop. */
  readonly shares: readonly number[];
}

/** Length of a window that measures the rate in a closed loop, in seconds. */
const CLOSED_LOOP_S = 1;
/** Significant digits of a share of the closed-loop rate, which is not more precise. */
const DIGITS = 3;
/** Default maximum number of connections of an open loop. */
const OPEN_CONNECTIONS = 256;

/** Measures response times and CPU time at rates, which may be shares of the closed loop's rates. */
export function rateExperiment(
  draft: Draft,
  rates: Rates,
  closedLoopPerS: OpenPlan["closedLoopPerS"] = {},
): Experiment {
  const { generator, servers, scenarios } = draft;
  if (generator !== null && generator !== BUILT_IN_GENERATOR) {
    throw new UsageError(
      `${generator} cannot send at a --rate here: leave out --generator, or use ${BUILT_IN_GENERATOR}`,
    );
  }
  assertOneLoad(draft, "Cannot measure several --connections and a --rate at once");
  const perS = Object.fromEntries(scenarios.map(({ id, beside }) => {
    const closedLoop = closedLoopPerS[id];
    const ofShares = closedLoop === undefined ? [] : rates.shares
      .map((share) => Number((share * closedLoop).toPrecision(DIGITS)));
    const asked = [...new Set([...rates.perS, ...ofShares])].sort((a, b) => a - b);
    return [id, asked.length === 0 && beside !== undefined ? [beside.perS] : asked];
  }));
  const open = inOpenLoop(draft, { perS, closedLoopPerS });
  return compose("rate", open, drivenByStampede(servers), RESPONSES);
}

/** Makes a short experiment in a closed loop, for requested rates that are shares of its rates. */
export function pilotExperiment(draft: Draft): Experiment {
  const once = {
    ...draft,
    load: { ...draft.load, connections: null, durationS: CLOSED_LOOP_S },
    design: { ...draft.design, rounds: 1, maxRounds: 1, budgetS: 0, profileS: null },
  };
  return compose("run", once, drivenByStampede(draft.servers), WINDOWS);
}

/** Makes an experiment that finds the highest rate at which each server meets an SLO. */
export function capacityExperiment(draft: Draft, slo: Slo): Experiment {
  assertOneLoad(draft, "Cannot search for a capacity with several --connections at once");
  if (slo.latencies.length === 0) {
    throw new UsageError(
      "Cannot search for a capacity without a latency limit such as p99<10ms in --slo",
    );
  }
  const open = inOpenLoop(draft, { perS: {}, closedLoopPerS: {} });
  const experiment = compose("capacity", open, drivenByStampede(draft.servers), SEARCH);
  const { width } = experiment.design;
  return { ...experiment, search: { slo, width, shares: CURVE_SHARES } };
}

function drivenByStampede(servers: readonly Server[]): VariantSpec[] {
  return servers.map((server) => ({ server, generator: BUILT_IN_GENERATOR }));
}

function inOpenLoop(draft: Draft, rates: Omit<OpenPlan, "arrivals">): Draft {
  const { load, arrivals } = draft;
  const connections = load.connections ?? [OPEN_CONNECTIONS];
  return { ...draft, load: { ...load, connections, open: { ...rates, arrivals } } };
}

/** Makes an experiment that compares a server with itself, as two variants, to measure the noise. */
export function noiseExperiment(draft: Draft): Experiment {
  assertOneLoad(draft, "Cannot measure the noise with several --connections at once");
  const server = onlyServer(draft, "Cannot measure the noise of several servers at once: name one");
  const variantSpecs = [{ server }, { server, id: `${server.id}-again` }];
  return compose("noise", draft, variantSpecs, { ...FIGURES, fallback: null });
}

/** Makes an experiment that measures one server with several load generators, by id. */
export function generatorsExperiment(draft: Draft, generators: readonly string[]): Experiment {
  const message = "Cannot compare load generators at several servers at once: name one";
  const server = onlyServer(draft, message);
  const variantSpecs = generators.map((generator) => ({ server, id: generator, generator }));
  return compose("generators", draft, variantSpecs, WINDOWS);
}

function assertOneLoad({ load: { connections } }: Draft, message: string): void {
  if (connections !== null && connections.length > 1) throw new UsageError(message);
}

function onlyServer({ servers: [server, ...others] }: Draft, message: string): Server {
  if (server === undefined || others.length > 0) throw new UsageError(message);
  return server;
}

/** Ids of the variants that `versus` compares: {@linkcode HEAD} with {@linkcode BASE}. */
export const BASE = "base";
export const HEAD = "head";

/**
 * Compares two revisions of a server, or two servers, in enough rounds for a decision. By default the
 * generator `stampede` drives the windows of scenarios that cannot be measured in slices. A slow one
 * would leave the server idle and hide part of a change.
 */
export function versusExperiment(draft: Draft, [base, head]: readonly [State, State]): Experiment {
  const scenarios = draft.scenarios.filter(({ id }) =>
    id in base.server.scenarios && id in head.server.scenarios
  );
  if (scenarios.length === 0) {
    throw new UsageError("There is no scenario that both servers implement");
  }
  const specOf = (id: string, { server, label }: State): VariantSpec => ({
    id,
    label,
    // Neither is based on the other, and messages name the revision
    server: { ...server, name: label, basedOn: null },
  });
  const results = scenarios.length * (draft.load.connections?.length ?? 1);
  const { costs, isTimed } = draft.design;
  const family = (isTimed ? METRICS.length * results : 0) +
    comparisonsOf(costs, scenarios.length);
  const rounds = Math.max(RATIOS.rounds, roundsToDecide(LOOKS * family));
  const aim = { ...RATIOS, rounds, maxRounds: Math.max(RATIOS.maxRounds, 2 * rounds) };
  const generator = draft.generator ?? BUILT_IN_GENERATOR;
  // Both sides are profiled together instead
  const design = { ...draft.design, profileS: null };
  const common = { ...draft, scenarios, reference: null, generator, design };
  return compose("versus", common, [specOf(BASE, base), specOf(HEAD, head)], aim);
}

/** Most releases that one experiment compares: they all run at the same time. */
const MOST_RELEASES = 12;

/** Compares a server on releases of its runtime, each with the release before it. */
export function releasesExperiment(draft: Draft, releases: readonly Release[]): Experiment {
  const server = onlyServer(draft, "Cannot compare the releases for several servers: name one");
  if (releases.length < 2 || releases.length > MOST_RELEASES) {
    throw new UsageError(
      `Cannot compare ${releases.length} releases: choose 2 to ${MOST_RELEASES}, with --from, --to and --each`,
    );
  }
  const variantSpecs = releases.map((release): VariantSpec => {
    const { runtime, version } = release;
    const label = nameOf(release);
    // Messages name the release
    const variant = { ...onRelease(server, release), name: label, basedOn: null };
    return { server: variant, id: `${runtime}-${version}`, label };
  });
  const steps = releases.length - 1;
  const results = draft.scenarios.length * (draft.load.connections?.length ?? 1);
  const rounds = Math.max(STEPS.rounds, roundsToDecide(METRICS.length * results * steps));
  const generator = draft.generator ?? BUILT_IN_GENERATOR;
  const common = { ...draft, reference: null, generator };
  return compose("releases", common, variantSpecs, { ...STEPS, rounds, maxRounds: rounds });
}
