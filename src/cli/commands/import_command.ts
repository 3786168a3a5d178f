import { resolve } from "node:path";
import { distributedReport, isMet } from "../../distributed/distributed_report.ts";
import { merge, type Runner, type Runners } from "../../distributed/merge_runners.ts";
import { runnersIn } from "../../distributed/runner_text.ts";
import { VERSION } from "../../engine/provenance.ts";
import type { LeftOut } from "../../model/distributed.ts";
import { messageOf, UsageError } from "../../model/errors.ts";
import { FAILED, FINE } from "../../model/exit_codes.ts";
import { readInputFile } from "../../model/input_file.ts";
import type { Slo } from "../../model/slo.ts";
import { hideSecrets } from "../../model/secrets.ts";
import { toJson } from "../../model/text.ts";
import { addToIndex } from "../../results/run_index.ts";
import { claimPath, defaultPath, writeReport } from "../../results/store.ts";
import { terminal } from "../../view/terminal.ts";
import type { Io } from "../io.ts";
import { claimOutputs, type OutputOptions, writeOutputs } from "../outputs.ts";

/** Options of `import`, as parsed. */
interface ImportOptions extends OutputOptions {
  readonly partial: boolean;
  readonly slo?: Slo;
  readonly out?: string;
  readonly json?: boolean;
  readonly wide: boolean;
}

/**
 * Runs `import k6`: merges the results of several runners (k6 on several machines) into one report.
 *
 * @returns the exit code: 0 if the SLO is known to be met, otherwise 1
 * @throws {UsageError} if a file is missing, damaged or from another load, unless --partial is given
 */
export async function importRunners(
  [format = "", ...files]: readonly string[],
  options: ImportOptions,
  io: Io,
): Promise<number> {
  if (format !== "k6" || files.length === 0) {
    throw new UsageError("Cannot import: name the files of all runners: bench import k6 FILE...");
  }
  const { runners, leftOut } = await gather(files, options, io);
  const origin = {
    id: crypto.randomUUID().slice(0, 8),
    program: io.program,
    command: [...io.program, ...hideSecrets(io.args)],
    versions: { stampede: VERSION, deno: Deno.version.deno },
  };
  const report = distributedReport(runners, origin, options.slo, leftOut);
  if (report.missing.length > 0 && !options.partial) {
    throw new UsageError(
      `Cannot merge: the file of a runner is missing (${
        report.missing.join(", ")
      } of the load); add it, or merge the others with --partial`,
    );
  }
  const place = options.out === undefined
    ? defaultPath(report.createdAt, report.id)
    : io.path(options.out);
  const path = await claimPath(resolve(io.folder, place));
  const read = await Promise.all(files.map((file) => Deno.realPath(io.path(file)).catch(() => "")));
  if (read.includes(path)) {
    throw new UsageError(
      `Cannot write to ${path}: it is the file of a runner; choose another --out`,
    );
  }
  const outputs = await claimOutputs(options, [path, ...read], io);
  await writeReport(path, report);
  await addToIndex(io.folder, path, report);
  const isQuiet = options.json ?? false;
  const extent = { explained: [], isWide: options.wide, file: options.out ?? null };
  io.out(isQuiet ? toJson(report) : terminal(report, io.screen, extent));
  await writeOutputs(report, outputs, isQuiet, io);
  if (!isQuiet) io.out(`The report is in ${place}`);
  return isMet(report) ? FINE : FAILED;
}

/** Merges the files one after the other; with --partial, leaves out files that cannot be merged. */
async function gather(
  files: readonly string[],
  { partial }: ImportOptions,
  io: Io,
): Promise<{ runners: Runners; leftOut: readonly LeftOut[] }> {
  let merged: Runners | null = null;
  const leftOut: LeftOut[] = [];
  for (const file of files) {
    try {
      const own = (await runnersOf(file, io.path(file))).map((runner): Runners => [runner]);
      // Either all runners of a file, or none
      merged = (merged === null ? own : [merged, ...own]).reduce(merge);
    } catch (error) {
      if (!(error instanceof UsageError) || !partial) throw error;
      leftOut.push({ file, problem: messageOf(error) });
    }
  }
  if (merged === null) {
    throw new UsageError(
      `Cannot merge anything: ${leftOut.map(({ problem }) => problem).join("; ")}`,
    );
  }
  return { runners: merged, leftOut };
}

async function runnersOf(file: string, path: string): Promise<Runner[]> {
  let text: string;
  try {
    text = await readInputFile(path, "export");
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound;
    throw new UsageError(
      `Cannot merge ${file}: ${isMissing ? "there is no such file" : messageOf(error)}`,
    );
  }
  return runnersIn(text, file);
}
