import type { Cell } from "../model/derived.ts";
import type { Report } from "../model/report.ts";

/** Options and commands whose run cannot be put together from its configuration alone. */
const OTHER = /^(--server|--scenario|--preset)(=|$)|^(noise|generators|versus)$|:\/\//;
/** The options of servers, by the variables that tell them. */
const VARIABLES = {
  DB_POOL: "--db-pool",
  CPU_WORKERS: "--cpu-workers",
  QUEUE_LIMIT: "--queue-limit",
} as const;

/**
 * The command that measures one cell again, with the same load, rounds and seed; of a run with servers
 * or scenarios of somebody's own, the command of the whole run.
 */
export function commandFor(report: Report, cell: Cell): string {
  const { command, config } = report;
  const [deno = "deno", task = "task", bench = "bench", ...args] = command;
  if (args.some((arg) => OTHER.test(arg))) return quoted(command);
  const own = report.results.find(({ trial }) =>
    trial.target === cell.target && trial.scenario === cell.scenario
  );
  // A wrong answer before the load leaves no round
  const rounds = String(cell.rounds + cell.failedRounds || config.rounds);
  return quoted([
    deno,
    task,
    bench,
    cell.scenario,
    "--servers",
    cell.target,
    "--connections",
    String(cell.connections),
    "--duration",
    String(config.durationS),
    ...(config.warmupS === null ? [] : ["--warmup", String(config.warmupS)]),
    "--rounds",
    rounds,
    "--generator",
    own?.trial.generator ?? config.generator,
    ...(config.shards === 1 ? [] : ["--shards", String(config.shards)]),
    ...(config.workers === 1 ? [] : ["--workers", String(config.workers)]),
    ...(config.pinning === null ? [] : ["--pin"]),
    ...Object.entries(VARIABLES).flatMap(([name, option]) => {
      const value = config.serverEnv[name];
      return value === undefined ? [] : [option, value];
    }),
    ...(args.includes("--allow-remote-database") ? ["--allow-remote-database"] : []),
    "--seed",
    String(config.seed),
  ]);
}

/** Arguments as a line for a shell. */
export function quoted(command: readonly string[]): string {
  return command.map((argument) =>
    /^[\w./:=,@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
  ).join(" ");
}
