/** Turns the options of commands into the settings of their runs. */
import type { LocalTestbedOptions } from "../engine/local_testbed.ts";
import type { Testbed } from "../engine/testbed.ts";
import type { ExperimentOptions, ServerEnvOptions } from "../experiment/options.ts";
import type { SelectOptions } from "../experiment/select.ts";
import { hideSecrets } from "../model/text.ts";
import { cacheFolder } from "../target/state.ts";
import type { Io } from "./io.ts";
import { claimOutputs, type OutputOptions, type Outputs } from "./outputs.ts";

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
  readonly outputs: Outputs;
  /** Whether the run is only planned. */
  readonly isDryRun: boolean;
  /** Whether only JSON is printed. */
  readonly isQuiet: boolean;
}

/** Returns the settings of a run; throws like {@linkcode claimOutputs}. */
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

/** Returns the options of the testbed for a command's options. */
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
