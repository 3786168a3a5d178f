import type { Result } from "../model/derived.ts";
import type { Report } from "../model/report.ts";

/**
 * Matches URLs, and the options that add a server, scenario or mix to those of the suite. If a command has
 * one of them, it is repeated unchanged, because no id of the suite means the same.
 */
const OUTSIDE_SUITE = /^(--server|--scenario|--mix)(=|$)|:\/\//;
/** The options for environment variables of servers, by the name of the variable. */
const VARIABLES = {
  DB_POOL: "--db-pool",
  CPU_WORKERS: "--cpu-workers",
  QUEUE_LIMIT: "--queue-limit",
} as const;

/**
 * Returns the command that measures one result again, with the same load, rounds and seed.
 *
 * For experiments other than `run`, and for servers or scenarios outside the suite, returns the
 * command of the whole run.
 *
 * @param servers the servers to measure together
 */
export function commandFor(
  report: Report,
  result: Result,
  servers: readonly string[] = [result.variant],
): string {
  const { program, command, experiment: { kind, variants, load, design }, pinning } = report;
  const args = command.slice(program.length);
  if (kind !== "run" || args.some((arg) => OUTSIDE_SUITE.test(arg))) return quoted(command);
  const variant = variants.find(({ id }) => id === result.variant);
  const { WORKERS: workers = "1", ...env } = variant?.env ?? {};
  const own = report.trialResults.find(({ trial }) =>
    trial.purpose === "measure" && trial.variant === result.variant &&
    trial.scenario === result.scenario
  );
  const generator = own?.trial.generator ?? variant?.generator;
  // A wrong response before the load leaves no rounds
  const rounds = String(result.rounds + result.failedRounds || design.rounds);
  return quoted([
    ...program,
    result.scenario,
    "--servers",
    servers.join(","),
    "--connections",
    String(result.connections),
    "--duration",
    String(load.durationS),
    ...(load.warmupS === null ? [] : ["--warmup", String(load.warmupS)]),
    "--rounds",
    rounds,
    ...(generator === undefined ? [] : ["--generator", generator]),
    ...(load.shards === 1 ? [] : ["--shards", String(load.shards)]),
    ...(workers === "1" ? [] : ["--workers", workers]),
    ...(load.tls === null ? [] : [load.tls === "h2" ? "--http2" : "--tls"]),
    ...(design.slices === null && load.tls !== "h2" ? ["--no-slices"] : []),
    ...(pinning === null ? [] : ["--pin"]),
    ...Object.entries(VARIABLES).flatMap(([name, option]) => {
      const value = env[name];
      return value === undefined ? [] : [option, value];
    }),
    ...(args.includes("--allow-remote-database") ? ["--allow-remote-database"] : []),
    "--seed",
    String(design.seed),
  ]);
}

/**
 * Returns the commands that measure the results of one scenario again. Results with equal options
 * share a command.
 */
export function commandsFor(report: Report, results: readonly Result[]): string[] {
  const groups = Map.groupBy(results, (result) => commandFor(report, result, []));
  return [...groups.values()].map((group) => {
    const [first] = group as [Result, ...Result[]];
    return commandFor(report, first, group.map(({ variant }) => variant));
  });
}

/** Returns a command as a line for a shell, with quotes where needed. */
export function quoted(command: readonly string[]): string {
  return command.map((argument) =>
    /^[\w./:=,@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
  ).join(" ");
}

/**
 * Returns the command that prints a report with these options.
 *
 * @param program the words before the arguments, as typed
 * @param file the report as typed; null for the newest one
 */
export function reportCommand(
  program: readonly string[],
  file: string | null,
  ...options: readonly string[]
): string {
  return quoted([...program, "report", ...file === null ? [] : [file], ...options]);
}
