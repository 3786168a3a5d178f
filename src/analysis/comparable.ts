import type { CellKey } from "../model/derived.ts";
import type { Report, RunConfig, ScenarioSummary } from "../model/report.ts";

/** What is compared of a run's configuration: how hard servers were driven, and how they were set. */
const LOAD = [
  "durationS",
  "requests",
  "timeoutS",
  "warmupS",
  "shards",
  "workers",
  "pinning",
] as const satisfies readonly (keyof RunConfig)[];
const HOST = ["os", "arch", "kernel", "cpuModel", "cores"] as const;
/** Of a machine's memory, what its kernel keeps for itself differs from start to start. */
const MEMORY_TOLERANCE = 0.02;

/** Why nothing of two reports can be compared, a phrase for each reason. */
export function runDifferences(base: Report, head: Report): string[] {
  const memory = head.host.memoryBytes / base.host.memoryBytes;
  return [
    ...HOST.flatMap((name) => differs(`host: ${name}`, base.host[name], head.host[name])),
    ...(Math.abs(memory - 1) > MEMORY_TOLERANCE
      ? differs("host: memoryBytes", base.host.memoryBytes, head.host.memoryBytes)
      : []),
    ...["stampede", "deno"].flatMap((name) =>
      differs(`instrument: ${name}`, base.versions[name], head.versions[name])
    ),
    ...differs("instrument: load generator", generators(base), generators(head)),
    ...LOAD.flatMap((name) => differs(`load: ${name}`, base.config[name], head.config[name])),
    ...differs("load: serverEnv", ...told(base, head, ({ DB_POOL: _pool, ...others }) => others)),
  ];
}

/** Why one cell of two reports cannot be compared, beside what is true of all. */
export function cellDifferences(base: Report, head: Report, key: CellKey): string[] {
  const [was, is] = [base, head].map(({ scenarios }) =>
    scenarios.find(({ id }) => id === key.scenario)
  );
  // Older files do not tell
  const scenario = was && is ? differs("scenario: request", request(was), request(is)) : [];
  const needsDatabase = (is ?? was)?.queries !== 0 && base.database !== null;
  return [
    ...scenario,
    ...(needsDatabase
      ? [
        ...differs("instrument: postgresql", base.versions.postgresql, head.versions.postgresql),
        ...differs("load: DB_POOL", ...told(base, head, ({ DB_POOL }) => DB_POOL)),
      ]
      : []),
  ];
}

/** Versions of servers that differ, which is what one compares: for showing. */
export function versionDifferences(base: Report, head: Report): string[] {
  const names = new Set([base, head].flatMap(({ versions }) => Object.keys(versions)));
  return [...names].filter((name) => name.includes(": ")).flatMap((name) =>
    differs(name, base.versions[name], head.versions[name])
  );
}

function differs(name: string, was: unknown, is: unknown): string[] {
  const [a, b] = [was, is].map((value) =>
    typeof value === "string" ? value : JSON.stringify(value) ?? "nothing"
  );
  return a === b ? [] : [`${name} (${a}, then ${b})`];
}

/** What the servers of both reports were told. */
function told<T>(base: Report, head: Report, of: (env: RunConfig["serverEnv"]) => T): [T, T] {
  return [of(base.config.serverEnv), of(head.config.serverEnv)];
}

function generators({ generators }: Report): string {
  return generators.map(({ id, version }) => `${id} ${version}`).join(", ");
}

/** What a scenario asks, without its name and its checks. */
function request(
  { method, path, headerNames, bodySha256, queries }: ScenarioSummary,
): Record<string, unknown> {
  return { method, path, headerNames, bodySha256, queries };
}
