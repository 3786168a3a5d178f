/** The commands that repeat a measurement. */
import type { Result } from "../model/derived.ts";
import type { AnyReport, Report } from "../model/report.ts";

/** Matches URLs, and options that define servers, scenarios or mixes, which have no id in the suite. */
const OUTSIDE_SUITE = /^(--server|--scenario|--mix)(=|$)|:\/\//;

/**
 * Returns the command that measures a result again, with the same load and seed. For experiments other
 * than `run`, and for servers or scenarios outside the suite, it is that of the whole run.
 */
export function commandFor(
  report: Report,
  result: Result,
  servers: readonly string[] = [result.variant],
): string {
  const { program, command, experiment: { kind, variants, load, design }, pinning } = report;
  const args = command.slice(program.length);
  if (kind !== "run" || args.some((arg) => OUTSIDE_SUITE.test(arg))) return wholeCommand(report);
  const variant = variants.find(({ id }) => id === result.variant);
  const { WORKERS = "1", DB_POOL, CPU_WORKERS, QUEUE_LIMIT } = variant?.env ?? {};
  const own = report.trialResults.find(({ trial }) =>
    trial.purpose === "measure" && trial.variant === result.variant &&
    trial.scenario === result.scenario
  );
  const options: Readonly<Record<string, string | number | boolean | null | undefined>> = {
    "--servers": servers.join(","),
    "--connections": result.connections,
    "--duration": load.durationS,
    "--warmup": load.warmupS,
    // A wrong response before the load leaves no rounds
    "--rounds": result.rounds + result.failedRounds || design.rounds,
    "--generator": own?.trial.generator ?? variant?.generator,
    "--shards": load.shards === 1 ? null : load.shards,
    "--workers": WORKERS === "1" ? null : WORKERS,
    "--http2": load.tls === "h2",
    "--tls": load.tls !== null && load.tls !== "h2",
    "--no-slices": design.slices === null && load.tls !== "h2",
    "--pin": pinning !== null,
    "--db-pool": DB_POOL,
    "--cpu-workers": CPU_WORKERS,
    "--queue-limit": QUEUE_LIMIT,
    "--allow-remote-database": args.includes("--allow-remote-database"),
    "--seed": design.seed,
  };
  return quoted([
    ...program,
    result.scenario,
    ...Object.entries(options).flatMap(([option, value]) => {
      if (value === null || value === undefined || value === false) return [];
      return value === true ? [option] : [option, String(value)];
    }),
  ]);
}

/** Returns the commands that measure one scenario's results again; equal options share a command. */
export function commandsFor(report: Report, results: readonly Result[]): string[] {
  const groups = Map.groupBy(results, (result) => commandFor(report, result, []));
  return [...groups.values()].map((group) => {
    const [first] = group as [Result, ...Result[]];
    return commandFor(report, first, group.map(({ variant }) => variant));
  });
}

/** Matches options that name a file to write. A resumed report is one. */
const WRITES = /^--(out|html|markdown|csv|resume)(=|$)/;

/**
 * Returns the command of a report without the files that it writes: a repetition would replace them, and
 * the folders of a CI runner exist only there.
 */
export function wholeCommand({ program, command }: Pick<AnyReport, "program" | "command">): string {
  const args = command.slice(program.length);
  const isValue = (i: number): boolean => WRITES.exec(args[i - 1] ?? "")?.[2] === "";
  return quoted([...program, ...args.filter((arg, i) => !WRITES.test(arg) && !isValue(i))]);
}

/** Returns a command as a line for a shell, with quotes where needed. */
export function quoted(command: readonly string[]): string {
  return command.map((argument) =>
    /^[\w./:=,@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
  ).join(" ");
}

/** Returns the command that prints a report: the program and file as typed, null for the newest. */
export function reportCommand(
  program: readonly string[],
  file: string | null,
  ...options: readonly string[]
): string {
  return quoted([...program, "report", ...file === null ? [] : [file], ...options]);
}
