import { UsageError } from "../../model/errors.ts";
import type { Io } from "../io.ts";
import { type RunOptions, runScenarios } from "../run_scenarios.ts";
import { runPreset } from "./preset_command.ts";

/** What `run` is given: several numbers of workers make another experiment. */
export interface TypedOptions extends Omit<RunOptions, "workers"> {
  readonly workers: readonly number[];
}

/** `run`: measures the chosen scenarios, writes the report and prints the summary. */
export async function run(args: readonly string[], given: TypedOptions, io: Io): Promise<number> {
  const { workers } = given;
  const options: RunOptions = { ...given, workers: workers[0] ?? 1 };
  if (workers.length > 1 && (options.preset ?? options.rate) !== undefined) {
    throw new UsageError("Cannot measure several --workers with --rate or --preset");
  }
  if (options.preset !== undefined) return await runPreset(options.preset, args, options, io);
  return await runScenarios(args, options, workers, io);
}
