import { isInconclusive, isRegression, type NoiseFloor } from "../analysis/changes.ts";
import { isSameWorkload, resultKeyOf } from "../analysis/keys.ts";
import { hostDifferences } from "../analysis/comparable.ts";
import { FAILED, FINE, UNDECIDED, UsageError } from "../model/errors.ts";
import type { Changes, Noise } from "../model/derived.ts";
import type { Report } from "../model/report.ts";
import { newestNoise } from "../results/run_index.ts";
import { readReport } from "../results/read_report.ts";
import { writeWhole } from "../results/store.ts";
import { changesMarkdown, changesText } from "../view/changes_text.ts";
import { type Gate, gateNotes } from "../view/changes_verdict.ts";
import type { Io } from "./io.ts";
import { appendJobSummary, type Outputs } from "./outputs.ts";

/** Options of the commands that compare. */
export interface GateOptions {
  /** Largest slowdown that passes, as a share: 0.05 is 5 %. */
  readonly failOn?: number;
  readonly strict?: boolean;
  /** Path of a report of `bench noise`; `none` for no noise floors. */
  readonly noise?: string;
}

const NO_NOISE: NoiseFloor = { noise: [], noiseSource: null };

/**
 * Returns the gate of the options.
 *
 * @throws {UsageError} if --strict is given without --fail-on
 */
export function gateOf({ failOn, strict = false }: GateOptions): Gate {
  if (strict && failOn === undefined) {
    throw new UsageError("--strict needs --fail-on, such as --fail-on 5%");
  }
  return { failOn: failOn ?? null, strict };
}

/**
 * Prints changes. Writes them also to the file of --markdown, if that option is given, and to the job
 * summary, if this is a job of GitHub Actions.
 */
export async function show(
  changes: Changes,
  gate: Gate,
  outputs: Outputs,
  { title, notes, isQuiet }: {
    readonly title: string;
    readonly notes: readonly string[];
    readonly isQuiet: boolean;
  },
  io: Io,
): Promise<void> {
  const all = { gate: gateNotes(changes, gate), failOn: gate.failOn, notes };
  if (!isQuiet) io.out(changesText(changes, all, io.screen));
  const text = changesMarkdown(title, changes, all);
  const path = outputs.get("markdown");
  if (path !== undefined) await writeWhole(path, text);
  await appendJobSummary(text, io);
}

/** Returns the exit code of a comparison; `UNDECIDED` if nothing could be compared. */
export function exitCodeOf({ changes }: Changes, { failOn, strict }: Gate): number {
  if (failOn !== null && changes.some((change) => isRegression(change, failOn))) {
    return FAILED;
  }
  if (changes.every(({ verdict }) => verdict === "incomparable")) return UNDECIDED;
  const isOpen = failOn !== null && changes.some((change) => isInconclusive(change, failOn));
  return strict && isOpen ? UNDECIDED : FINE;
}

/**
 * Reads the noise floors of --noise; null without that option.
 *
 * @param path path of a report of `bench noise`; `none` for no noise floors
 * @throws {UsageError} if the file is not such a report
 */
export async function readNoise(path: string | undefined, io: Io): Promise<NoiseFloor | null> {
  if (path === undefined) return null;
  if (path === "none") return NO_NOISE;
  const report = await readReport(io.path(path));
  if (report.kind === "run" && report.noise.length > 0) {
    return { noise: report.noise, noiseSource: path };
  }
  throw new UsageError(`Cannot use ${path} as noise: it is not a report of the noise command`);
}

/**
 * Returns the noise floors for a report from the newest noise reports of the same host.
 *
 * Floors of slices apply to any report with slices. Floors of windows only apply if the load generator
 * and the workload are the same.
 */
export async function noiseFor(report: Report, { folder }: Io): Promise<NoiseFloor> {
  const { host, trialResults, experiment: { design } } = report;
  const isOfHost = (one: Report): boolean => hostDifferences(one.host, host).length === 0;
  const ofSlices = ({ noise }: Report): Noise[] =>
    noise.filter(({ method }) => method === "slices" && design.slices !== null);
  const ofWindows = ({ noise, generators: [generator] }: Report): Noise[] =>
    noise.filter((one) =>
      one.method === "windows" &&
      trialResults.some(({ trial }) =>
        trial.purpose === "measure" && trial.generator === generator?.id &&
        isSameWorkload(resultKeyOf(trial), one)
      )
    );
  const noise: Noise[] = [];
  const paths = new Set<string>();
  for (const known of [ofSlices, ofWindows]) {
    const found = await newestNoise(folder, (one) => isOfHost(one) && known(one).length > 0);
    if (found === null) continue;
    noise.push(...known(found.report));
    paths.add(found.path);
  }
  return paths.size === 0 ? NO_NOISE : { noise, noiseSource: [...paths].join(" and ") };
}
