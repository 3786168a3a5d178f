/** Turns the options of commands into the settings of their runs, and writes the files that they name. */
import type { LocalTestbedOptions } from "../engine/local_testbed.ts";
import type { Testbed } from "../engine/testbed.ts";
import type { ExperimentOptions, ServerEnvOptions } from "../experiment/options.ts";
import { pick, type SelectOptions } from "../experiment/select.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import type { AnyReport } from "../model/report.ts";
import { hideSecrets } from "../model/text.ts";
import { claimPath, writeWhole } from "../results/store.ts";
import { cacheFolder } from "../target/build.ts";
import { type Format, render } from "../view/reporters.ts";
import { FILE, type Io } from "./io.ts";

const OUTPUTS = ["html", "markdown", "csv"] as const satisfies readonly Format[];
/** Files that a command can write in addition to its report. */
export type OutputOptions = Readonly<Partial<Record<typeof OUTPUTS[number], string>>>;

/** Options of the commands that start servers. */
export interface TestbedOptions extends ServerEnvOptions {
  readonly cache?: string;
  readonly allowRemoteDatabase?: boolean;
}

/** Options of every command that measures. */
export interface MeasureOptions
  extends ExperimentOptions, SelectOptions, TestbedOptions, OutputOptions {
  readonly out?: string;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/** The testbeds of a run, and the place and form of its output. */
export interface RunSettings {
  /** Creates a testbed with a new id. */
  readonly testbed: () => Testbed;
  /** Path of the report; null means a new file in `results/`. */
  readonly out: string | null;
  /** Paths of the other files to write, by format. All of them are known to be writable. */
  readonly outputs: ReadonlyMap<Format, string>;
  readonly isDryRun: boolean;
  readonly isQuiet: boolean;
}

export async function settingsOf(options: MeasureOptions, io: Io): Promise<RunSettings> {
  const out = options.out === undefined ? null : io.path(options.out);
  return {
    testbed: () => io.testbed(testbedOptions(options, io)),
    out,
    outputs: await claimOutputs(options, out === null ? [] : [out], io),
    isDryRun: options.dryRun ?? false,
    isQuiet: options.json ?? false,
  };
}

export function testbedOptions(
  { cache, allowRemoteDatabase = false }: TestbedOptions,
  io: Io,
): LocalTestbedOptions {
  return {
    origin: {
      id: crypto.randomUUID().slice(0, 8),
      createdAt: new Date().toISOString(),
      program: io.program,
      command: [...io.program, ...hideSecrets(io.args)],
    },
    env: io.env,
    allowRemoteDatabase,
    cache: cacheFolder(cache === undefined ? null : io.path(cache), io.env),
    folder: io.path("."),
  };
}

/** The variable with the file that GitHub Actions shows as a job's summary. */
const STEP_SUMMARY = "GITHUB_STEP_SUMMARY";

/** Checks that the files can be written, and that no path is used twice or among `taken`. */
export async function claimOutputs(
  options: OutputOptions,
  taken: readonly (string | undefined)[],
  io: Io,
): Promise<RunSettings["outputs"]> {
  const outputs = new Map<Format, string>();
  for (const format of OUTPUTS) {
    const path = options[format];
    if (path === undefined) continue;
    const real = await claimPath(io.path(path));
    if ([...outputs.values(), ...taken].includes(real)) {
      throw new UsageError(`Cannot use ${path} for two files: choose another --${format}`);
    }
    outputs.set(format, real);
  }
  return outputs;
}

/** Writes a report to the files of the options. Prints their paths unless `isQuiet`. */
export async function writeOutputs(
  report: AnyReport,
  outputs: RunSettings["outputs"],
  isQuiet: boolean,
  io: Io,
): Promise<void> {
  for (const [format, path] of outputs) {
    await writeWhole(path, await render(format, [report], FILE));
    if (!isQuiet) io.say(`The ${format === "html" ? "page" : `report as ${format}`} is in ${path}`);
  }
}

/** Appends Markdown to the summary of a GitHub Actions job, if the process runs in one. */
export async function appendJobSummary(text: string, io: Io): Promise<void> {
  const path = io.env(STEP_SUMMARY);
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
