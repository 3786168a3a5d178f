import { UsageError } from "../../model/errors.ts";
import type { Io } from "../io.ts";
import { type RunOptions, runScenarios } from "../run_scenarios.ts";
import { runPreset } from "./preset_command.ts";

/**
 * Options of `run` as typed. If `--workers` has several numbers, they select the scaling experiment.
 */
export interface TypedOptions extends Omit<RunOptions, "workers"> {
  readonly workers: readonly number[];
}

/**
 * Runs `run`: measures the chosen scenarios, writes the report and prints the summary.
 *
 * @returns the exit code
 */
export async function run(args: readonly string[], given: TypedOptions, io: Io): Promise<number> {
  const { workers } = given;
  const options: RunOptions = { ...given, workers: workers[0] ?? 1 };
  if (workers.length > 1 && (options.preset ?? options.rate) !== undefined) {
    throw new UsageError("Give one --workers with --rate or --preset");
  }
  if (options.preset !== undefined) return await runPreset(options.preset, args, options, io);
  return await runScenarios(args, options, workers, io);
}
