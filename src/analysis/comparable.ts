/** Finds results that cannot be compared, because other programs used much CPU time. */

import type { MachineEvidence, Reason, ResultKey } from "../model/derived.ts";
import type { LoadPlan, SliceDesign, VariantRecord } from "../model/experiment.ts";
import type { Usage } from "../model/raw.ts";
import type { Host, Report, ScenarioSummary } from "../model/report.ts";
import { machineOf } from "./evidence.ts";
import { isSameResult, isSameWorkload, resultKeyOf } from "./keys.ts";

/**
 * Load settings that must be equal in both reports. The number of connections is not one of them, because it
 * is part of a result's key.
 */
const LOAD = [
  "tls",
  "durationS",
  "requests",
  "timeoutS",
  "warmupS",
  "shards",
] as const satisfies readonly (keyof LoadPlan)[];
/**
 * Settings of slices that must be equal in both reports. The number of slices may differ: it changes only the
 * precision.
 */
const SLICES = ["sliceMs", "responses"] as const satisfies readonly (keyof SliceDesign)[];
const HOST = ["os", "arch", "kernel", "cpuModel", "cores"] as const;
/**
 * Maximum difference in memory size, as a share. The memory that the kernel reserves differs between boots.
 */
const MEMORY_TOLERANCE = 0.02;
/** Environment variable that has no effect on servers without a database. */
const DATABASE_VARIABLE = "DB_POOL";

/** Returns why two reports cannot be compared by windows; empty if they can. */
export function runDifferences(base: Report, head: Report): Reason[] {
  return [
    ...hostDifferences(base.host, head.host),
    ...softwareDifferences(base, head),
    ...LOAD.flatMap((name) =>
      differs(`load: ${name}`, base.experiment.load[name], head.experiment.load[name])
    ),
    ...differs("load: pinning", base.pinning, head.pinning),
  ];
}

/**
 * Returns why relative CPU of two reports cannot be compared; empty if it can. The load generator may differ,
 * because it drives only windows.
 */
export function relativeCpuDifferences(base: Report, head: Report): Reason[] {
  return [
    ...hostDifferences(base.host, head.host),
    ...softwareDifferences(base, head),
    ...differs("reference", referenceOf(base), referenceOf(head)),
    ...differs("load: tls", base.experiment.load.tls, head.experiment.load.tls),
    ...differs("load: warmupS", base.experiment.load.warmupS, head.experiment.load.warmupS),
    ...differs("load: pinning", base.pinning, head.pinning),
    ...SLICES.flatMap((name) =>
      differs(
        `load: ${name}`,
        base.experiment.design.slices?.[name],
        head.experiment.design.slices?.[name],
      )
    ),
    ...differs("load: processors kept awake", awakeBlocks(base), awakeBlocks(head)),
  ];
}

/** Returns why measurements of two machines cannot be compared; empty if they can. */
export function hostDifferences(base: Host, head: Host): Reason[] {
  const isAsLarge = Math.abs(head.memoryBytes / base.memoryBytes - 1) <= MEMORY_TOLERANCE;
  return [
    ...HOST.flatMap((name) => differs(`host: ${name}`, base[name], head[name])),
    ...(isAsLarge ? [] : differs("host: memoryBytes", base.memoryBytes, head.memoryBytes)),
  ];
}

/**
 * Returns why one result of two reports cannot be compared by windows; empty if it can. Reasons that apply to
 * the whole run come from {@linkcode runDifferences}.
 */
export function windowDifferences(base: Report, head: Report, key: ResultKey): Reason[] {
  return [
    ...differs("software: load generator", generatorFor(base, key), generatorFor(head, key)),
    ...resultDifferences(base, head, key),
  ];
}

/**
 * Returns the reasons that rule out every comparison of one result of two reports, by slices and by windows;
 * empty if there are none. {@linkcode windowDifferences} adds the reasons that only concern windows.
 */
export function resultDifferences(base: Report, head: Report, key: ResultKey): Reason[] {
  const was = base.scenarios.find(({ id }) => id === key.scenario);
  const is = head.scenarios.find(({ id }) => id === key.scenario);
  const needsDatabase = (is ?? was)?.queries !== 0 && base.database !== null;
  return [
    // Reports of `bench import` do not record it.
    ...(was && is ? differs("scenario: request", request(was), request(is)) : []),
    ...(needsDatabase
      ? differs("software: postgresql", base.versions.postgresql, head.versions.postgresql)
      : []),
    ...envDifferences(envOf(base, key), envOf(head, key), needsDatabase),
  ];
}

/**
 * Returns the differences between the servers' versions. They are displayed and do not prevent a comparison.
 */
export function versionDifferences(base: Report, head: Report): Reason[] {
  const names = new Set([base, head].flatMap(({ versions }) => Object.keys(versions)));
  return [...names].filter((name) => name.includes(": ")).flatMap((name) =>
    differs(name, base.versions[name], head.versions[name])
  );
}

function softwareDifferences(base: Report, head: Report): Reason[] {
  return ["stampede", "deno"].flatMap((name) =>
    differs(`software: ${name}`, base.versions[name], head.versions[name])
  );
}

/**
 * Returns what identifies the reference, to which relative CPU refers. If the reference server begins to do
 * different work, its label changes.
 */
function referenceOf({ experiment: { reference } }: Report): unknown {
  const { [DATABASE_VARIABLE]: _pool, ...env } = reference?.env ?? {};
  return reference && { server: reference.server, label: reference.label, env };
}

/** Returns in which blocks processors were kept awake: `always`, `never`, or `at times`. */
function awakeBlocks({ blocks }: Report): string {
  const known = blocks.flatMap(({ slices }) => slices ?? []);
  const awake = known.filter(({ isAwake }) => isAwake);
  return awake.length === 0 ? "never" : awake.length === known.length ? "always" : "at times";
}

function differs(what: string, before: unknown, after: unknown): Reason[] {
  const was = text(before);
  const is = text(after);
  return was === is ? [] : [{ kind: "differs", what, was, is }];
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : JSON.stringify(value) ?? null;
}

function envDifferences(
  base: VariantRecord["env"],
  head: VariantRecord["env"],
  needsDatabase: boolean,
): Reason[] {
  const names = new Set([base, head].flatMap((env) => Object.keys(env)));
  if (!needsDatabase) names.delete(DATABASE_VARIABLE);
  return [...names].flatMap((name) => differs(`load: ${name}`, base[name], head[name]));
}

/** Returns the environment variables of a result's server. */
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

/** Returns what determines the work of a scenario's request, without the scenario's name and checks. */
function request(
  { method, path, hiddenPathSha256, headerNames, bodySha256, queries }: ScenarioSummary,
): Record<string, unknown> {
  return { method, path, hiddenPathSha256, headerNames, bodySha256, queries };
}

/**
 * Maximum share of CPU time that other programs and virtual machines may use in a comparable result. On a
 * machine with two cores, 0.25 is half a core, as for the bottleneck `machine`. Above it, relative CPU of the
 * same code differs by far more than its confidence intervals.
 */
const CONTENDED = 0.25;

/**
 * Returns why a result cannot be compared with another run: other programs used too much CPU time. Empty if
 * they did not.
 */
export function contention(report: Report, where: string, key: ResultKey): Reason[] {
  const { cores } = report.host;
  const machine = stateOf(report, key);
  if (machine === null) return [];
  const { otherCores, steal } = machine;
  if (otherCores / cores + steal < CONTENDED) return [];
  return [{ kind: "contended", where, otherCores, steal, cores }];
}

/**
 * Returns the state of the machine while a result was measured: during its slices if there are any, else
 * during its windows. Null if unknown.
 */
function stateOf({ host, blocks, results }: Report, key: ResultKey): MachineEvidence | null {
  const own = results.find((result) => isSameResult(result, key));
  const byWindows = own?.bottleneck?.evidence.machine ?? null;
  // With a CPU quota, idle time does not show the use of other programs; windows do not either.
  const isKnown = byWindows !== null || !own?.bottleneck;
  const usages = blocks.flatMap(({ block, slices }): Usage[] =>
    isSameWorkload(block, key) && block.variants.includes(key.variant) && slices?.usage
      ? [slices.usage]
      : []
  );
  return (isKnown ? machineOf(usages, host.cores) : null) ?? byWindows;
}
