/** What commands share: their form, their options, and the files that their options name. */
import { join } from "node:path";
import type { LocalTestbedOptions } from "../engine/local_testbed.ts";
import type { Testbed } from "../engine/testbed.ts";
import type { Rates } from "../experiment/kinds.ts";
import type { ExperimentOptions } from "../experiment/options.ts";
import { pick, type SelectOptions } from "../experiment/select.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import type { Slo } from "../model/experiment.ts";
import type { FaultId } from "../model/fault.ts";
import type { AnyReport } from "../model/report.ts";
import type { EACH } from "../model/server.ts";
import { hideSecrets } from "../model/text.ts";
import { claimPath, fileName, writeWhole } from "../results/store.ts";
import { cacheFolder } from "../target/build.ts";
import { type Format, render } from "../view/reporters.ts";
import { FILE, type Io } from "./io.ts";

/** The parsed options of all commands. A command receives only those that the table gives it. */
export interface Options extends ExperimentOptions, SelectOptions {
  readonly allowRemoteDatabase?: boolean;
  readonly bad?: string;
  readonly base?: string;
  readonly cache?: string;
  readonly csv?: string;
  readonly dryRun?: boolean;
  readonly each: typeof EACH[number];
  readonly explain?: string;
  readonly force?: boolean;
  readonly format: Format;
  /** Version of the first release. */
  readonly from?: string;
  /** Names of the options on the command line, without those of variables and defaults. */
  readonly given?: readonly string[];
  /** The fast end of a bisection. */
  readonly good?: string;
  readonly host: string;
  readonly html?: string;
  readonly json?: boolean;
  readonly kubernetes?: string;
  readonly like: string;
  readonly markdown?: string;
  /** Path of a report of `stampede noise`; `none` for no noise floors. */
  readonly noise?: string;
  readonly only?: readonly FaultId[];
  readonly out?: string;
  readonly parallelism: number;
  readonly partial?: boolean;
  readonly port: number;
  /** Id of a built-in preset, or path of a preset's file. */
  readonly preset?: string;
  /** Whether --quick is given. Its defaults are already in the other options. */
  readonly quick?: boolean;
  readonly rate?: Rates;
  /** Address of the files of Stampede's repository. */
  readonly repository?: string;
  readonly restart?: boolean;
  /** Path of the report of a run to resume. */
  readonly resume?: string;
  /** Kubernetes quantity: the processors of a runner. */
  readonly runnerCpu: string;
  /** Kubernetes quantity: the memory of a runner. */
  readonly runnerMemory: string;
  readonly slo?: Slo;
  readonly strict?: boolean;
  /** URL of the server for runners. */
  readonly target?: string;
  /** Version of the last release. */
  readonly to?: string;
  readonly users?: number;
  readonly wide?: boolean;
  readonly withValues?: boolean;
}

/** A command: its help, its arguments and its action. */
export interface CommandSpec {
  readonly summary: string;
  /** Command lines without the program's name, each with its purpose. */
  readonly examples?: readonly (readonly [command: string, does: string])[];
  /** Name and help text of the command's arguments; absent if it takes none. */
  readonly takes?: readonly [name: string, help: string];
  /** Runs the command and returns its exit code; throws UsageError for invalid words or options. */
  readonly action: (args: readonly string[], options: Options, io: Io) => Promise<number>;
}

/** Options of a run, with the other files to write by format. All of them are known to be writable. */
export interface RunSettings extends Options {
  readonly outputs: ReadonlyMap<Format, string>;
}

/** Checks that the files can be written, and that no path is used twice or among the `read` ones. */
export async function settingsOf(
  options: Options,
  io: Io,
  read: readonly string[] = [],
): Promise<RunSettings> {
  const taken = options.out === undefined ? [...read] : [...read, io.path(options.out)];
  const outputs = new Map<Format, string>();
  for (const format of ["html", "markdown", "csv"] as const) {
    const path = options[format];
    if (path === undefined) continue;
    const real = await claimPath(io.path(path));
    if (taken.includes(real)) {
      throw new UsageError(`Cannot use ${path} for two files: choose another --${format}`);
    }
    outputs.set(format, real);
    taken.push(real);
  }
  return { ...options, outputs };
}

/** Returns the path of a report as messages show it: that of --out, or a new one. */
export function pathOfReport(
  { out }: Options,
  origin: Pick<AnyReport, "createdAt" | "id">,
  io: Io,
): string {
  return out === undefined ? join(io.results, fileName(origin)) : io.path(out);
}

export function testbedOptions(
  { cache, allowRemoteDatabase = false }: Options,
  io: Io,
): LocalTestbedOptions {
  return {
    origin: originOf(io),
    env: io.env,
    allowRemoteDatabase,
    cache: cacheFolder(cache === undefined ? null : io.path(cache), io.env),
    folder: io.path("."),
  };
}

/** Returns a new id with the time and the command line, without secrets. */
export function originOf({ program, args }: Io): Testbed["origin"] {
  return {
    id: crypto.randomUUID().slice(0, 8),
    createdAt: new Date().toISOString(),
    program,
    command: [...program, ...hideSecrets(args)],
  };
}

/** Writes a report to the files of the options. Prints their paths unless with --json. */
export async function writeOutputs(
  report: AnyReport,
  { outputs, json = false }: RunSettings,
  io: Io,
): Promise<void> {
  for (const [format, path] of outputs) {
    await writeWhole(path, await render(format, [report], FILE));
    if (!json) io.say(`The ${format === "html" ? "page" : `report as ${format}`} is in ${path}`);
  }
}

/** Appends Markdown to the summary of a GitHub Actions job, if the process runs in one. */
export async function appendJobSummary(text: string, io: Io): Promise<void> {
  const path = io.env("GITHUB_STEP_SUMMARY");
  if (!path) return;
  try {
    await Deno.writeTextFile(path, `${text}\n`, { append: true });
  } catch (error) {
    io.err(`Cannot append to the job's summary in ${path}: ${messageOf(error)}`);
  }
}

/** Returns the ids of a report's scenarios in the value of --explain; throws UsageError for others. */
export function readExplained(
  text: string | undefined,
  known: readonly { readonly id: string }[],
): string[] {
  if (text === undefined) return [];
  const ids = text === "all" ? [] : text.split(",");
  return pick("scenario to explain in this report", ids, known).map(({ id }) => id);
}
