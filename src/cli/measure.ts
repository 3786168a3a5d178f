import { resolve } from "node:path";
import type { Origin } from "../engine/testbed.ts";
import type { LocalTestbedOptions } from "../engine/local_testbed.ts";
import { run } from "../engine/run.ts";
import type { Experiment } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import { hideSecrets } from "../model/secrets.ts";
import { addToIndex } from "../results/run_index.ts";
import { claimPath, defaultPath } from "../results/store.ts";
import { markUnderWay } from "../results/under_way.ts";
import { cacheFolder } from "../target/cache.ts";
import { createProgress } from "../view/progress.ts";
import type { Io } from "./io.ts";
import { ProfileFiles } from "./profile_files.ts";
import { ReportFile } from "./report_file.ts";

/** Options of the commands that start servers. */
export interface TestbedOptions {
  readonly cache?: string;
  readonly allowRemoteDatabase?: boolean;
}

/** Options of the commands that measure. */
export interface MeasureOptions extends TestbedOptions {
  readonly out?: string;
}

/** How a run ended. */
export interface RunOutcome<R extends Report = Report> {
  readonly report: R;
  /** Path of the report for messages; null if the report was removed, because nothing was measured. */
  readonly path: string | null;
  /** Why the report's file is missing or outdated; null if it is complete. */
  readonly unwritten: string | null;
  /** The error that ended the run early; null if there was none. */
  readonly stopped: unknown;
}

/** Returns the path of a run's report: the path in --out, or a new file in `results/`. */
export function reportPath(
  { out }: MeasureOptions,
  { id, createdAt }: Origin,
  io: Io,
): string {
  return out === undefined ? defaultPath(createdAt, id) : io.path(out);
}

/**
 * Runs an experiment, shows its progress, and writes its report after every step.
 *
 * @param complete adds the command's own fields to each report
 * @throws the error of a run that ended before its first report
 */
export async function measure<R extends Report>(
  experiment: Experiment,
  options: MeasureOptions,
  io: Io,
  complete: (report: Report) => R | Promise<R>,
): Promise<RunOutcome<R>> {
  const testbed = io.testbed(testbedOptions(options, io));
  const path = reportPath(options, testbed.origin, io);
  const progress = createProgress({
    ...io.progress,
    variants: experiment.variants.length,
    isSearch: experiment.search !== null,
  });
  const tell = (problem: string): void => {
    progress.close();
    io.err(problem);
  };
  const file = new ReportFile(await claimPath(resolve(io.folder, path)), tell);
  const profiles = new ProfileFiles(file.path, tell);
  await using _mark = await markUnderWay(file.path);
  let report: R | null = null;
  let stopped: unknown = null;
  try {
    for await (const event of run(experiment, testbed, io.stop)) {
      if (event.kind === "profiled") await profiles.write(event);
      if (event.kind === "report") {
        report = await complete(profiles.named(event.report));
        await file.write(report);
        progress.show({ kind: "report", report });
        continue;
      }
      progress.show(event);
    }
  } catch (error) {
    if (report === null) throw error;
    stopped = error;
  } finally {
    progress.close();
  }
  if (report === null) throw new Error("A run without a report has an error");
  // A report without a measurement is only kept if the user named a file for it
  const isKept = options.out !== undefined || stopped !== null || hasMeasured(report);
  if (!isKept) await file.discard();
  else if (file.problem === null) await addToIndex(io.folder, file.path, report);
  return { report, path: isKept ? path : null, unwritten: file.problem, stopped };
}

/** Returns whether a server was started. If none was, the report contains only the reason. */
function hasMeasured({ trialResults, blocks }: Report): boolean {
  return blocks.some(({ slices }) => slices !== null) ||
    trialResults.some(({ failure }) => failure?.kind !== "start");
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
