import { isSameResult, resultKeyOf } from "./result_key.ts";
import type { Reason, ResultKey } from "../model/derived.ts";
import type { LoadPlan, SliceDesign, VariantRecord } from "../model/experiment.ts";
import type { Host, Report, ScenarioSummary } from "../model/report.ts";

/** What is compared of a run's load, beside the connections, which are a result's own. */
const LOAD = [
  "tls",
  "durationS",
  "requests",
  "timeoutS",
  "warmupS",
  "shards",
] as const satisfies readonly (keyof LoadPlan)[];
/** What is compared of slices; their number changes only how well a cost is known. */
const SLICES = ["sliceMs", "responses"] as const satisfies readonly (keyof SliceDesign)[];
const HOST = ["os", "arch", "kernel", "cpuModel", "cores"] as const;
/** Of a machine's memory, what its kernel keeps for itself differs from start to start. */
const MEMORY_TOLERANCE = 0.02;
/** A variable that means nothing to a server that asks no database. */
const DATABASE_VARIABLE = "DB_POOL";

/** Why nothing of two reports can be compared. */
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

/** Why nothing that answers cost in those of the reference can be compared, whatever drove windows. */
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

/** Why what was measured on one machine cannot be compared with what was on another. */
export function hostDifferences(base: Host, head: Host): Reason[] {
  const isAsLarge = Math.abs(head.memoryBytes / base.memoryBytes - 1) <= MEMORY_TOLERANCE;
  return [
    ...HOST.flatMap((name) => differs(`host: ${name}`, base[name], head[name])),
    ...(isAsLarge ? [] : differs("host: memoryBytes", base.memoryBytes, head.memoryBytes)),
  ];
}

/** Why one result of two reports cannot be compared by its windows, beside what is true of all. */
export function windowDifferences(base: Report, head: Report, key: ResultKey): Reason[] {
  return [
    ...differs("software: load generator", driverOf(base, key), driverOf(head, key)),
    ...resultDifferences(base, head, key),
  ];
}

/** The same, however it was measured. */
export function resultDifferences(base: Report, head: Report, key: ResultKey): Reason[] {
  const was = base.scenarios.find(({ id }) => id === key.scenario);
  const is = head.scenarios.find(({ id }) => id === key.scenario);
  const needsDatabase = (is ?? was)?.queries !== 0 && base.database !== null;
  return [
    // Older files do not tell
    ...(was && is ? differs("scenario: request", request(was), request(is)) : []),
    ...(needsDatabase
      ? differs("software: postgresql", base.versions.postgresql, head.versions.postgresql)
      : []),
    ...envDifferences(envOf(base, key), envOf(head, key), needsDatabase),
  ];
}

/** Versions of servers that differ, which is what one compares: for showing. */
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

/** What costs are counted in. A reference that does other work than before has another label. */
function referenceOf({ experiment: { reference } }: Report): unknown {
  const { [DATABASE_VARIABLE]: _pool, ...env } = reference?.env ?? {};
  return reference && { server: reference.server, label: reference.label, env };
}

/** Whether processors were kept awake: in all blocks, in none, or in some. */
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

/** The variables that a result's server was started with. */
function envOf({ experiment }: Report, { variant }: ResultKey): VariantRecord["env"] {
  return experiment.variants.find(({ id }) => id === variant)?.env ?? {};
}

/** What drove the windows of a result. */
function driverOf({ trialResults, generators }: Report, key: ResultKey): string | null {
  const own = trialResults.find(({ trial }) =>
    trial.purpose === "measure" && isSameResult(resultKeyOf(trial), key)
  );
  const generator = generators.find(({ id }) => id === own?.trial.generator);
  return generator === undefined ? null : `${generator.id} ${generator.version}`;
}

/** What a scenario asks, without its name and its checks. */
function request(
  { method, path, hiddenPathSha256, headerNames, bodySha256, queries }: ScenarioSummary,
): Record<string, unknown> {
  return { method, path, hiddenPathSha256, headerNames, bodySha256, queries };
}
