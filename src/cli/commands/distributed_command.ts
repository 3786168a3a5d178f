/** Load from several machines: writes a script for k6, and merges the results of its runners. */
import { resolve } from "node:path";
import {
  distributedReport,
  meetsSlo,
  merge,
  type Runners,
} from "../../distributed/distributed_report.ts";
import { exportScenarios, variablesOf } from "../../distributed/exported.ts";
import { k6Script } from "../../distributed/k6_script.ts";
import { kubernetesManifest } from "../../distributed/kubernetes.ts";
import { describeErrors, errorsIn, runnersIn } from "../../distributed/runner_file.ts";
import { VERSION } from "../../engine/local_testbed.ts";
import { DEFAULT_SLO, parseSlo } from "../../experiment/slo.ts";
import { select } from "../../experiment/select.ts";
import { isLoopback, readOrigin } from "../../experiment/url_target.ts";
import type { LeftOut } from "../../model/distributed.ts";
import { FAILED, FINE, messageOf, UNDECIDED, UsageError } from "../../model/errors.ts";
import type { Slo } from "../../model/experiment.ts";
import { readInputFile } from "../../model/input_file.ts";
import { nonEmpty, toJson } from "../../model/text.ts";
import { addToIndex } from "../../results/run_index.ts";
import { claimPath, writeReport, writeWhole } from "../../results/store.ts";
import { terminal } from "../../view/terminal.ts";
import { type Options, originOf, pathOfReport, settingsOf, writeOutputs } from "../command.ts";
import type { Io } from "../io.ts";

/** Default target of a load: the address of `stampede serve`. */
const TARGET = "http://127.0.0.1:8000";
/** Minimum of the default number of virtual users: the number of connections of a local open loop. */
const LEAST_USERS = 256;

export async function exportLoad(
  words: readonly string[],
  options: Options,
  io: Io,
): Promise<number> {
  const [format = "", ...args] = words;
  if (format !== "k6") {
    throw new UsageError(
      `Cannot export for "${format}": use stampede export k6 text --rate 100000`,
    );
  }
  const { duration: durationS, slo = parseSlo(DEFAULT_SLO), withValues = false } = options;
  const [perS] = options.rate?.perS ?? [];
  if (perS === undefined) {
    throw new UsageError("Cannot export without a rate: give one, such as --rate 100000");
  }
  const { scenarios, servers } = await select(args, options, io.path);
  if (servers.length > 1) {
    throw new UsageError("Cannot export for several servers: write one script for each server");
  }
  const target = options.target === undefined
    ? servers[0]?.attached?.origin ?? TARGET
    : readOrigin(options.target, options.yesIMayLoadThisHost);
  if (options.kubernetes !== undefined && isLoopback(target)) {
    throw new UsageError(
      `Cannot load ${target} from Kubernetes: each runner would load its own pod; name the server, such as --target http://SERVICE:8000`,
    );
  }
  const load = {
    scenarios: exportScenarios(scenarios, { withValues }),
    perS,
    durationS,
    slo,
    users: usersOf(perS, slo, options, io),
    target,
    program: io.program,
  };
  const script = k6Script(load);
  const { out, kubernetes, parallelism, runnerCpu: cpu, runnerMemory: memory } = options;
  if (kubernetes !== undefined) {
    const path = await claimPath(io.path(kubernetes));
    if (out !== undefined && path === await claimPath(io.path(out))) {
      throw new UsageError(
        `Cannot use ${kubernetes} for two files: choose another --out or --kubernetes`,
      );
    }
    await writeWhole(path, await kubernetesManifest(load, { parallelism, cpu, memory }));
    io.err(`The ConfigMap and the TestRun are in ${path}`);
  }
  if (out === undefined) io.out(script.trimEnd());
  else {
    const path = await claimPath(io.path(out));
    await writeWhole(path, script);
    io.err(`The script is in ${path}`);
  }
  const variables = variablesOf(load.scenarios);
  if (variables.length > 0) {
    io.err(`Set these environment variables for k6: ${variables.join(", ")}`);
  }
  return FINE;
}

/** Returns the number of virtual users. On Kubernetes each runner needs one. */
function usersOf(
  perS: number,
  slo: Slo,
  { users, kubernetes, parallelism }: Options,
  io: Io,
): number {
  const least = kubernetes === undefined ? 1 : parallelism;
  if (users !== undefined && users < least) {
    throw new UsageError(
      `Cannot divide ${users} virtual users among ${least} runners: raise --users or lower --parallelism`,
    );
  }
  const longestS = Math.max(0, ...slo.latencies.map(({ us }) => us / 1e6));
  const usual = Math.max(LEAST_USERS, Math.ceil(perS * longestS));
  if (users === undefined && usual < least) {
    io.err(`${least} virtual users instead of ${usual}, because each runner needs one`);
  }
  return users ?? Math.max(usual, least);
}

export async function importRunners(
  words: readonly string[],
  options: Options,
  io: Io,
): Promise<number> {
  const [format = "", ...files] = words;
  if (format !== "k6" || files.length === 0) {
    throw new UsageError(
      "Cannot import: name the files of all runners: stampede import k6 FILE...",
    );
  }
  const { out, partial = false, json: isQuiet = false, wide: isWide = false } = options;
  const { runners, leftOut, errors } = await gather(files, partial, io);
  const { createdAt: _createdAt, ...origin } = originOf(io);
  const versions = { stampede: VERSION, deno: Deno.version.deno };
  const report = distributedReport(runners, { ...origin, versions }, options.slo, leftOut);
  const reported = describeErrors(errors);
  if (report.missing.length > 0 && !partial) {
    const missing = report.missing.join(", ");
    const problem =
      `Cannot merge: the file of a runner is missing (${missing} of the load); add it, or merge the others with --partial`;
    throw new UsageError(nonEmpty(problem, reported).join(". "));
  }
  if (report.missing.length > 0 && reported !== "") io.err(reported);
  const place = pathOfReport(options, report, io);
  const path = await claimPath(resolve(io.folder, place));
  const read = await Promise.all(files.map((file) => Deno.realPath(io.path(file)).catch(() => "")));
  if (read.includes(path)) {
    throw new UsageError(
      `Cannot write to ${path}: it is the file of a runner; choose another --out`,
    );
  }
  const settings = await settingsOf(options, io, [path, ...read]);
  await writeReport(path, report);
  await addToIndex(io, path, report);
  const extent = { explained: [], isWide, file: out ?? null };
  io.out(isQuiet ? toJson(report) : terminal(report, io.screen, extent));
  await writeOutputs(report, settings, io);
  if (!isQuiet) io.out(`The report is in ${place}`);
  const isMet = meetsSlo(report);
  return isMet === null ? UNDECIDED : isMet ? FINE : FAILED;
}

/**
 * Merges the files one after the other; with --partial, leaves out files that cannot be merged. Also
 * returns the errors in merged logs, because they explain missing runners.
 */
async function gather(
  files: readonly string[],
  partial: boolean,
  io: Io,
): Promise<{ runners: Runners; leftOut: readonly LeftOut[]; errors: readonly string[] }> {
  let merged: Runners | null = null;
  const errors = new Set<string>();
  const leftOut: LeftOut[] = [];
  for (const file of files) {
    try {
      const text = await readInputFile(io.path(file), "export").catch((error) => {
        const isMissing = error instanceof Deno.errors.NotFound;
        const problem = isMissing ? "there is no such file" : messageOf(error);
        throw new UsageError(`Cannot merge ${file}: ${problem}`);
      });
      const own = runnersIn(text, file).map((runner): Runners => [runner]);
      // Either all runners of a file, or none
      merged = (merged === null ? own : [merged, ...own]).reduce(merge);
      for (const error of errorsIn(text)) errors.add(error);
    } catch (error) {
      if (!(error instanceof UsageError) || !partial) throw error;
      leftOut.push({ file, problem: error.message });
    }
  }
  if (merged !== null) return { runners: merged, leftOut, errors: [...errors] };
  const problems = leftOut.map(({ problem }) => problem).join("; ");
  throw new UsageError(`Cannot merge anything: ${problems}`);
}
