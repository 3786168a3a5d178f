/** Experiments for tests. */
import type { Design, Experiment, LoadPlan, Variant } from "../model/experiment.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";

const LOAD: LoadPlan = {
  tls: null,
  connections: null,
  defaultConnections: 10,
  shards: 1,
  durationS: 1.5,
  requests: null,
  timeoutS: 10,
  warmupS: null,
  defaultWarmupS: 0.5,
  open: null,
};
const DESIGN: Design = {
  rounds: 3,
  maxRounds: 3,
  width: 0.03,
  until: "width",
  isTimed: true,
  costs: [],
  failOnCosts: {},
  counts: false,
  differences: "none",
  budgetS: 0,
  budgetShare: 0,
  ratiosOnly: false,
  slices: null,
  fallback: null,
  failOn: null,
  needsAll: false,
  pins: false,
  profileS: null,
  seed: 1,
};

/** Makes a variant with a server that implements these scenarios. */
export function variantOf(id: string, scenarios: readonly { readonly id: string }[]): Variant {
  const server = {
    id,
    name: `Name of ${id}`,
    workers: "one",
    takesTurns: false,
    maxConnections: null,
    warmupS: null,
    attached: null,
    scenarios: Object.fromEntries(scenarios.map(({ id }) => [id, {}])),
  } as Partial<Server> as Server;
  return { id, label: server.name, server, generator: "autocannon", env: { DB_POOL: "10" } };
}

/** Makes an experiment with defaults and the given changes. */
export function experimentOf(
  variants: readonly Variant[],
  scenarios: readonly Scenario[],
  change: Partial<LoadPlan & Design> = {},
): Experiment {
  const of = <T extends object>(usual: T): T => ({
    ...usual,
    ...Object.fromEntries(Object.entries(change).filter(([name]) => name in usual)),
  });
  return {
    kind: "run",
    variants,
    reference: null,
    scenarios,
    load: of(LOAD),
    design: of(DESIGN),
    search: null,
  };
}
