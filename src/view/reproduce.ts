import type { Result } from "../model/derived.ts";
import type { Report } from "../model/report.ts";

/** Arguments of work that cannot be named by the ids of servers and scenarios alone. */
const URL_OR_FILE = /^(--server|--scenario|--mix)(=|$)|:\/\//;
/** The options of servers, by the variables that tell them. */
const VARIABLES = {
  DB_POOL: "--db-pool",
  CPU_WORKERS: "--cpu-workers",
  QUEUE_LIMIT: "--queue-limit",
} as const;

/**
 * The command that measures one result again, with the same load, rounds and seed; the command of the
 * whole run if that was of another kind, or had servers or scenarios that are not the suite's.
 *
 * @param servers those that are measured with it
 */
export function commandFor(
  report: Report,
  result: Result,
  servers: readonly string[] = [result.variant],
): string {
  const { program, command, experiment: { kind, variants, load, design }, pinning } = report;
  const args = command.slice(program.length);
  if (kind !== "run" || args.some((arg) => URL_OR_FILE.test(arg))) return quoted(command);
  const variant = variants.find(({ id }) => id === result.variant);
  const { WORKERS: workers = "1", ...env } = variant?.env ?? {};
  const own = report.trialResults.find(({ trial }) =>
    trial.purpose === "measure" && trial.variant === result.variant &&
    trial.scenario === result.scenario
  );
  const generator = own?.trial.generator ?? variant?.generator;
  // A wrong response before the load leaves no round
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

/** The commands that measure results of one scenario again: one for all that were measured in the same way. */
export function commandsFor(report: Report, results: readonly Result[]): string[] {
  const groups = Map.groupBy(results, (result) => commandFor(report, result, []));
  return [...groups.values()].map((group) => {
    const [first] = group as [Result, ...Result[]];
    return commandFor(report, first, group.map(({ variant }) => variant));
  });
}

/** Arguments as a line for a shell. */
export function quoted(command: readonly string[]): string {
  return command.map((argument) =>
    /^[\w./:=,@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
  ).join(" ");
}

/** The command that draws a report once more, with these options; without a file it is the newest one. */
export function reportCommand(file: string | null, ...options: readonly string[]): string {
  return ["bench report", quoted([...file === null ? [] : [file], ...options])].join(" ");
}
