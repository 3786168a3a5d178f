/** Finds out why results of two reports differ in more than the server, and so cannot be compared. */
import type { Noise, Reason, ResultKey } from "../model/derived.ts";
import type { LoadPlan, VariantRecord } from "../model/experiment.ts";
import type { Host, Report, ScenarioSummary } from "../model/report.ts";
import { machineOf } from "./bottlenecks.ts";
import { calmSlices, distanceAt, isOtherDistance } from "./calm_slices.ts";
import { isSameResult, isSameWorkload, resultKeyOf } from "./keys.ts";

/** A property that must be equal in two reports: its name in reasons, and how to read it. */
export type Property = readonly [what: string, of: (report: Report) => unknown];

export const loadProperty = (name: keyof LoadPlan): Property => [
  `load: ${name}`,
  ({ experiment }) => experiment.load[name],
];
const SOFTWARE: readonly Property[] = ["stampede", "deno"].map((name) => [
  `software: ${name}`,
  ({ versions }) => versions[name],
]);
export const PINNING: Property = ["load: pinning", ({ pinning }) => pinning];
/** A server can be slower after other scenarios: docs/evidence/2026-11-28-fresh-processes.md. */
const PROCESSES: Property = ["load: scenarios per process", scenariosPerProcess];
/** Properties of runs for windows. The number of connections is part of a result's key instead. */
const OF_WINDOWS: readonly Property[] = [
  ...SOFTWARE,
  ...(["tls", "durationS", "requests", "timeoutS", "warmupS", "shards"] as const).map(loadProperty),
  PINNING,
  PROCESSES,
];
/** Properties of runs for relative CPU. Generators drive only windows; more slices only add precision. */
const OF_RELATIVE_CPU: readonly Property[] = [
  ...SOFTWARE,
  ["reference", referenceOf],
  loadProperty("tls"),
  loadProperty("warmupS"),
  PINNING,
  PROCESSES,
  ["load: sliceMs", ({ experiment }) => experiment.design.slices?.sliceMs],
  ["load: responses", ({ experiment }) => experiment.design.slices?.responses],
  ["load: processors kept awake", awakeBlocks],
];
const HOST = ["os", "arch", "kernel", "cpuModel", "cores"] as const;
/** Maximum difference in memory size, as a share: the memory that the kernel reserves differs by boot. */
const MEMORY_TOLERANCE = 0.02;
/** Environment variable that has no effect on servers without a database. */
const DATABASE_VARIABLE = "DB_POOL";

/** The conditions of a run that must be equal for a comparison with another run. */
export interface Conditions {
  readonly host: Host;
  /** Values by their names in reasons. */
  readonly properties: ReadonlyMap<string, unknown>;
  /** Distance of the processors in near slices, in nanoseconds; null if unknown. */
  readonly distanceNs: number | null;
}

/** Returns the conditions for a comparison by windows, or by relative CPU in slices. */
export function conditionsOf(report: Report, method: Noise["method"]): Conditions {
  const properties = method === "windows" ? OF_WINDOWS : OF_RELATIVE_CPU;
  return {
    host: report.host,
    properties: new Map(properties.map(([what, of]) => [what, of(report)])),
    distanceNs: calmSlices(report.blocks).nearNs,
  };
}

/** Returns why runs under two conditions cannot be compared, apart from their distances; empty if they can. */
export function conditionDifferences(base: Conditions, head: Conditions): Reason[] {
  return [
    ...hostDifferences(base.host, head.host),
    ...[...base.properties].flatMap(([what, value]) =>
      differs(what, value, head.properties.get(what))
    ),
  ];
}

/** Returns why two reports cannot be compared by windows, or by relative CPU in slices; empty if they can. */
export function runDifferences(base: Report, head: Report, method: Noise["method"]): Reason[] {
  return conditionDifferences(conditionsOf(base, method), conditionsOf(head, method));
}

/** Returns why measurements of two machines cannot be compared; empty if they can. */
export function hostDifferences(base: Host, head: Host): Difference[] {
  const isAsLarge = Math.abs(head.memoryBytes / base.memoryBytes - 1) <= MEMORY_TOLERANCE;
  return [
    ...HOST.flatMap((name) => differs(`host: ${name}`, base[name], head[name])),
    ...(isAsLarge ? [] : differs("host: memoryBytes", base.memoryBytes, head.memoryBytes)),
  ];
}

/** Returns why one result cannot be compared, apart from {@linkcode runDifferences}; empty if it can. */
export function resultDifferences(
  base: Report,
  head: Report,
  key: ResultKey,
  method: Noise["method"],
): Reason[] {
  const was = base.scenarios.find(({ id }) => id === key.scenario);
  const is = head.scenarios.find(({ id }) => id === key.scenario);
  const needsDatabase = (is ?? was)?.queries !== 0 && base.database !== null;
  const [wasEnv, isEnv] = [envOf(base, key), envOf(head, key)];
  const names = new Set([...Object.keys(wasEnv), ...Object.keys(isEnv)]);
  if (!needsDatabase) names.delete(DATABASE_VARIABLE);
  return [
    ...(method === "windows"
      ? differs("software: load generator", generatorFor(base, key), generatorFor(head, key))
      : distanceDifferences(base, head, key)),
    // Reports of `stampede import` do not record it.
    ...(was && is ? differs("scenario: request", request(was), request(is)) : []),
    ...(needsDatabase
      ? differs("software: postgresql", base.versions.postgresql, head.versions.postgresql)
      : []),
    ...[...names].flatMap((name) => differs(`load: ${name}`, wasEnv[name], isEnv[name])),
  ];
}

/** Returns that the processors had another distance in one of two runs; empty if not, or if one is unknown. */
function distanceDifferences(base: Report, head: Report, key: ResultKey): Reason[] {
  const [was = null, is = null] = [base, head].map(({ blocks }) => distanceAt(blocks, key));
  if (was === null || is === null || !isOtherDistance(was, is)) return [];
  const [wasNs, isNs] = [was, is].map((ns) => `${Math.round(ns)} ns`);
  return differs("host: round trip between processors", wasNs, isNs);
}

/** Returns the differences between the servers' versions, which do not prevent a comparison. */
export function versionDifferences(base: Report, head: Report): Reason[] {
  return allVersionDifferences(base, head).filter(({ what }) => what.includes(": "));
}

/** Returns the differences between all versions. */
export function allVersionDifferences(base: Report, head: Report): Difference[] {
  const names = new Set([base, head].flatMap(({ versions }) => Object.keys(versions)));
  return [...names].flatMap((name) => differs(name, base.versions[name], head.versions[name]));
}

/** A property that differs, with both values as text. */
export type Difference = Extract<Reason, { readonly kind: "differs" }>;

/** Returns a difference between two values; empty if they are equal. */
export function differs(what: string, before: unknown, after: unknown): Difference[] {
  const [was = null, is = null] = [before, after].map((value) =>
    typeof value === "string" ? value : JSON.stringify(value)
  );
  return was === is ? [] : [{ kind: "differs", what, was, is }];
}

/** Returns the identity of the reference. Its label changes if its server does different work. */
export function referenceOf({ experiment: { reference } }: Report): unknown {
  const { [DATABASE_VARIABLE]: _pool, ...env } = reference?.env ?? {};
  return reference && { server: reference.server, label: reference.label, env };
}

/** Returns whether a server answered several scenarios of a round without being started again. */
function scenariosPerProcess({ launches, trialResults, blocks }: Report): "one" | "several" {
  const keyOf = ({ variant, round }: { readonly variant: string; readonly round: number }) =>
    `${round} ${variant}`;
  const starts = Map.groupBy(launches, keyOf);
  const measured = [
    ...trialResults.flatMap(({ trial, window }) =>
      window === null || trial.purpose !== "measure" ? [] : trial
    ),
    ...blocks.flatMap(({ block, slices }) =>
      slices?.variants.map(({ variant }) => ({ ...block, variant })) ?? []
    ),
  ];
  const isShared = [...Map.groupBy(measured, keyOf)].some(([key, own]) =>
    new Set(own.map(({ scenario }) => scenario)).size > (starts.get(key)?.length ?? 1)
  );
  return isShared ? "several" : "one";
}

function awakeBlocks({ blocks }: Report): "always" | "never" | "at times" {
  const awake = blocks.flatMap(({ slices }) => slices?.isAwake ?? []);
  if (!awake.includes(true)) return "never";
  return awake.includes(false) ? "at times" : "always";
}

function envOf({ experiment }: Report, { variant }: ResultKey): VariantRecord["env"] {
  return experiment.variants.find(({ id }) => id === variant)?.env ?? {};
}

/** Returns the load generator that drove the windows of a result, with its version; null if unknown. */
function generatorFor({ trialResults, generators }: Report, key: ResultKey): string | null {
  const own = trialResults.find(({ trial }) =>
    trial.purpose === "measure" && isSameResult(resultKeyOf(trial), key)
  );
  const generator = generators.find(({ id }) => id === own?.trial.generator);
  return generator === undefined ? null : `${generator.id} ${generator.version}`;
}

/** Returns the parts of a scenario that determine its work, without its name and checks. */
export function request(scenario: ScenarioSummary): unknown {
  const { method, path, hiddenPathSha256, headerNames, bodySha256, queries } = scenario;
  return { method, path, hiddenPathSha256, headerNames, bodySha256, queries };
}

/**
 * Maximum share of CPU time that other programs and virtual machines may use in a comparable result. On
 * a machine with two cores, 0.25 is half a core, as for the bottleneck `machine`. Above it, relative CPU
 * of the same code differs by far more than its confidence intervals.
 */
const CONTENDED = 0.25;

/** Returns that other programs used too much CPU time for a comparison; empty if they did not. */
export function contention(
  { host: { cores }, blocks, results }: Report,
  where: string,
  key: ResultKey,
): Reason[] {
  const own = results.find((result) => isSameResult(result, key));
  const byWindows = own?.bottleneck?.evidence.machine ?? null;
  // With a CPU quota, idle time does not show the use of other programs; windows do not either.
  if (byWindows === null && own?.bottleneck) return [];
  const usages = blocks.flatMap(({ block, slices }) =>
    isSameWorkload(block, key) && block.variants.includes(key.variant) ? slices?.usage ?? [] : []
  );
  const machine = machineOf(usages, cores) ?? byWindows;
  if (machine === null || machine.otherCores / cores + machine.steal < CONTENDED) return [];
  const { otherCores, steal } = machine;
  return [{ kind: "contended", where, otherCores, steal, cores }];
}
