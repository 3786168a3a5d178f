/** Completes drafts to experiments, and checks that servers and scenarios speak the protocol. */
import { REFERENCE } from "../model/block.ts";
import { UsageError } from "../model/errors.ts";
import type { Design, Experiment, ExperimentRecord, Variant } from "../model/experiment.ts";
import { isSpecial, needsDatabase, type Scenario } from "../model/scenario.ts";
import type { Alpn, Server } from "../model/server.ts";
import type { Chosen, Draft } from "./options.ts";

/** Id of Stampede's load generator that can also drive slices and send at a rate. */
export const BUILT_IN_GENERATOR = "stampede";
const DEFAULT_GENERATOR = "autocannon";
/** Id of the load generator for HTTP/2, which autocannon and stampede do not speak. */
const HTTP2_GENERATOR = "h2load";
const NAMES = { "http/1.1": "TLS", h2: "HTTP/2" } as const;
/** Minimum length of a slice, in ms: it loads the server, and the next meets the same machine. */
const SLICE_MS = 10;
/** Minimum number of responses in a slice. With fewer, their median latency means little. */
const SLICE_RESPONSES = 50;
/** Maximum of a server's database connections. With more, requests would wait in PostgreSQL. */
const MAX_DB_POOL = 100;

/** A server that becomes a variant; by default with its id and name, and the draft's generator. */
export interface VariantSpec {
  readonly server: Server;
  readonly id?: string;
  readonly label?: string;
  readonly generator?: string;
  /** Environment variables of this variant. They override those that all variants receive. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Purpose of a kind of experiment. It sets the defaults for rounds, slices and added time. */
export interface Aim extends Omit<Design, Chosen | "slices"> {
  /** Time in slices of a variant, as a share of a window; null if windows measure ratios. */
  readonly slices: number | null;
}

/** Measures figures of each variant. Six rounds are the minimum for a 95 % confidence interval. */
export const FIGURES: Aim = {
  rounds: 6,
  maxRounds: 15,
  width: 0.03,
  until: "width",
  budgetShare: 0.02,
  ratiosOnly: false,
  fallback: BUILT_IN_GENERATOR,
  slices: 0.3,
  needsAll: false,
  counts: false,
  differences: "none",
};
/** Measures the figures of each variant by windows only, as for published tables. */
export const WINDOWS: Aim = { ...FIGURES, fallback: null, slices: null };

/** Adds the variants and defaults of a kind to a draft, or throws a {@linkcode UsageError}. */
export function compose(
  kind: Experiment["kind"],
  draft: Draft,
  variantSpecs: readonly VariantSpec[],
  aim: Aim,
): Experiment {
  const { scenarios, reference } = draft;
  const apart = scenarios.find(({ beside }) => beside !== undefined);
  if (apart !== undefined && kind !== "rate") {
    throw new UsageError(
      `Cannot measure ${apart.id} with this command, because it measures response times at a rate: use stampede run ${apart.id}`,
    );
  }
  const tls = spoken(variantSpecs.map(({ server }) => server), scenarios, draft.load);
  const load = { ...draft.load, tls };
  const env = { DB_POOL: String(poolFor(scenarios, load)), ...draft.env };
  const usual = draft.generator ?? (tls === "h2" ? HTTP2_GENERATOR : DEFAULT_GENERATOR);
  const variantOf = (
    { server, id = server.id, label = server.name, generator = usual, env: own }: VariantSpec,
  ): Variant => {
    const all: Readonly<Record<string, string>> = { ...env, ...own };
    return { id, label, server: withWorkers(server, all.WORKERS), generator, env: all };
  };
  const design = designOf(draft, tls === "h2" ? { ...aim, fallback: null } : aim);
  return {
    kind,
    variants: variantSpecs.map(variantOf),
    reference: design.slices !== null && reference !== null
      ? variantOf({ server: reference, id: REFERENCE })
      : null,
    scenarios,
    load,
    design,
    search: null,
  };
}

/** Returns a server with the maximum number of connections of all its workers. */
function withWorkers(server: Server, workers = "1"): Server {
  const { maxConnections } = server;
  return server.workers === "configurable" && maxConnections !== null
    ? { ...server, maxConnections: maxConnections * Number(workers) }
    : server;
}

function designOf({ design, load, isSliced, generator }: Draft, aim: Aim): Design {
  const maxRounds = design.maxRounds ?? design.rounds ?? aim.maxRounds;
  const rounds = design.rounds ?? Math.min(aim.rounds, maxRounds);
  if (maxRounds < rounds) {
    throw new UsageError(`Cannot measure ${rounds} --rounds with ${maxRounds} --max-rounds`);
  }
  const slices = isSliced && aim.slices !== null
    ? {
      durationS: Math.round(1000 * load.durationS * aim.slices) / 1000, // 1.5 * 0.3 is 0.4499…
      sliceMs: SLICE_MS,
      responses: SLICE_RESPONSES,
    }
    : null;
  // Only slices have a verdict during the run. A given number of rounds, or a width, says when to end
  const isOpen = slices !== null && design.rounds === null && design.width === null;
  return {
    ...aim,
    ...design,
    rounds,
    maxRounds,
    width: design.width ?? aim.width,
    until: isOpen ? aim.until : "width",
    counts: aim.counts && design.counts,
    differences: aim.differences === "none" ? "none" : design.differences,
    slices,
    // With fewer rounds the run is a smoke run, and pilot windows would take too long
    fallback: generator === null && rounds >= FIGURES.rounds ? aim.fallback : null,
  };
}

/** Returns the number of database connections of a server: the most load connections that use it. */
function poolFor(
  scenarios: readonly Scenario[],
  { open, connections: asked, defaultConnections }: Draft["load"],
): number {
  // A rate has no number of connections, so the default is used
  if (open !== null) return defaultConnections;
  const counts = scenarios.filter(needsDatabase)
    .flatMap(({ connections }) => asked ?? connections ?? defaultConnections);
  return Math.min(MAX_DB_POOL, Math.max(1, ...counts));
}

/** Returns the requested protocol over TLS, or that of the URLs; null means without TLS. */
function spoken(
  servers: readonly Server[],
  scenarios: readonly Scenario[],
  { tls, open }: Draft["load"],
): Alpn | null {
  const origins = servers.flatMap(({ attached }) => attached?.origin ?? []);
  const isTls = origins.some((origin) => origin.startsWith("https:"));
  const alpn = tls ?? (isTls ? "http/1.1" : null);
  if (alpn === null) return null;
  const plain = origins.find((origin) => !origin.startsWith("https:"));
  if (plain !== undefined) {
    throw new UsageError(
      isTls
        ? `Cannot measure ${plain} together with an https: URL`
        : `Cannot speak ${NAMES[alpn]} to ${plain}: give its URL with https:`,
    );
  }
  if (alpn === "h2" && open !== null) {
    throw new UsageError(
      "Cannot send at a --rate over HTTP/2: the generator stampede speaks HTTP/1.1",
    );
  }
  for (const server of servers) assertSpeaks(server, alpn);
  assertAsked(scenarios, alpn);
  return alpn;
}

/** Throws a `UsageError` unless a server speaks a protocol. One that already runs is assumed to. */
export function assertSpeaks({ id, tls, attached }: Server, alpn: Alpn | null): void {
  if (alpn === null || attached !== null || tls.includes(alpn)) return;
  const has = tls.length === 0 ? "is empty" : `has only ${tls.join(", ")}`;
  throw new UsageError(
    `Cannot measure ${id} over ${NAMES[alpn]}: the "tls" of its manifest ${has}`,
  );
}

/** Throws a `UsageError` unless all scenarios are possible over a protocol. */
export function assertAsked(scenarios: readonly Scenario[], alpn: Alpn | null): void {
  const other = scenarios.find((scenario) => !isAsked(scenario, alpn));
  if (other === undefined) return;
  throw new UsageError(`Cannot measure ${other.id} over HTTP/2: it needs HTTP/1.1`);
}

/** Returns whether a protocol suits a scenario: some need HTTP/1.1, or the generator `stampede`. */
export function isAsked(scenario: Scenario, alpn: Alpn | null): boolean {
  return alpn !== "h2" || (!isSpecial(scenario) && scenario.beside === undefined);
}

/** Returns an experiment in the form that reports contain and `--json` prints. */
export function recordOf(experiment: Experiment): ExperimentRecord {
  const { variants, reference, scenarios } = experiment;
  const recorded = (variant: Variant) => ({ ...variant, server: variant.server.id });
  return {
    ...experiment,
    variants: variants.map(recorded),
    reference: reference && recorded(reference),
    scenarios: scenarios.map(({ id }) => id),
  };
}
