import { type Changes, compareReports } from "../../analysis/changes.ts";
import { runDifferences, versionDifferences } from "../../analysis/comparable.ts";
import { isInconclusive, isRegression } from "../../analysis/judge.ts";
import { UsageError } from "../../model/errors.ts";
import type { Noise } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { changesNotes, changesTable } from "../../view/tables/changes.ts";
import { printable, share } from "../../view/format.ts";
import { newestNoise } from "../../results/history.ts";
import { markdownTable, markdownText } from "../../view/markdown.ts";
import { readReport } from "../../results/read.ts";
import { writeWhole } from "../../results/store.ts";
import { draw } from "../../view/terminal.ts";
import { fromCaller } from "../../experiment/choose.ts";
import { appendSummary, claimOutputs, type Outputs } from "../outputs.ts";
import { say } from "../print.ts";
import { screenOf } from "../screen.ts";

/** Options of everything that compares and may gate. */
export interface GateOptions {
  /** A share: 0.05 is 5 %. */
  readonly failOn?: number;
  readonly strict?: boolean;
  /** A report of `bench noise`, or none. */
  readonly noise?: string;
}

/** Options of `compare`, as the table of options yields them. */
export interface CompareOptions extends GateOptions {
  readonly force?: boolean;
  readonly json?: boolean;
  readonly markdown?: string;
}

/** How much a machine differs from itself, and which report says so. */
export interface NoiseFloor {
  readonly noise: readonly Noise[];
  /** Null if there is none. */
  readonly source: string | null;
}

/** Exit codes of a gate. */
const REGRESSED = 1;
const UNDECIDED = 3;
const NO_NOISE: NoiseFloor = { noise: [], source: null };

/**
 * `compare`: two reports, server by server and scenario by scenario.
 *
 * @throws {UsageError} unless there are two files that are reports.
 */
export async function compare(
  paths: readonly string[],
  options: CompareOptions,
): Promise<number> {
  assertGate(options);
  const [basePath, headPath] = paths.map(fromCaller);
  if (basePath === undefined || headPath === undefined || paths.length > 2) {
    throw new UsageError("Cannot compare: give two reports, the base first");
  }
  const base = await readReport(basePath);
  const head = await readReport(headPath);
  const { markdown } = options;
  const outputs = await claimOutputs(
    { ...(markdown !== undefined && { markdown }) },
    await Promise.all([basePath, headPath].map((path) => Deno.realPath(path))),
  );
  const { noise, source } = await noiseFor(head, options);
  const changes = compareReports(base, head, { noise, force: options.force ?? false });
  const versions = versionDifferences(base, head);
  const isUsed = noise.some(({ target }) => changes.changes.some((one) => one.target === target));
  await show(changes, options, outputs, {
    title: paths.join(" and "),
    notes: [
      ...(versions.length > 0 ? [`Versions that differ: ${versions.join(", ")}`] : []),
      ...(isUsed ? [`The noise floor is that of ${source}.`] : []),
    ],
    isQuiet: options.json ?? false,
  });
  if (options.json) say(JSON.stringify(changes));
  return verdictOf(changes, options);
}

/** @throws {UsageError} for options that mean nothing together. */
export function assertGate({ failOn, strict }: GateOptions): void {
  if (strict && failOn === undefined) {
    throw new UsageError("Cannot be --strict without --fail-on, which says what to fail on");
  }
}

/** Prints changes, and writes them as Markdown where that is wanted. */
export async function show(
  changes: Changes,
  options: GateOptions,
  outputs: Outputs,
  { title, notes, isQuiet }: {
    readonly title: string;
    readonly notes: readonly string[];
    readonly isQuiet: boolean;
  },
): Promise<void> {
  const table = changesTable(changes);
  const all = [...changesNotes(changes), ...gateNotes(changes, options), ...notes];
  if (!isQuiet) say(["", ...draw(table, screenOf()), "", ...all.map(printable)].join("\n"));
  const text = [
    `### Stampede: ${markdownText(title)}`,
    "",
    markdownTable(table),
    "",
    ...all.map((note) => `- ${markdownText(note)}`),
    "",
  ].join("\n");
  const path = outputs.get("markdown");
  if (path !== undefined) await writeWhole(path, text);
  await appendSummary(text);
}

/** The exit code: of a gate if there is one; 3 if nothing at all could be compared. */
export function verdictOf({ changes }: Changes, { failOn, strict }: GateOptions): number {
  if (failOn !== undefined && changes.some((change) => isRegression(change, failOn))) {
    return REGRESSED;
  }
  if (changes.every(({ verdict }) => verdict === "incomparable")) return UNDECIDED;
  const isOpen = failOn !== undefined &&
    changes.some((change) => isInconclusive(change, failOn));
  return strict && isOpen ? UNDECIDED : 0;
}

function gateNotes({ changes }: Changes, { failOn, strict }: GateOptions): string[] {
  if (failOn === undefined) return [];
  const named = (which: (change: Changes["changes"][number]) => boolean): string =>
    changes.filter(which).map(({ target, scenario }) => `${scenario} of ${target}`).join(", ");
  const broken = named(({ isBroken }) => isBroken);
  const regressed = named((change) => !change.isBroken && isRegression(change, failOn));
  const open = named((change) => isInconclusive(change, failOn));
  const limit = share(failOn);
  return [
    ...(broken === "" ? [] : [`Fine before, and broken now: ${broken}.`]),
    regressed === ""
      ? `Nothing is proven to be more than ${limit} slower.`
      : `More than ${limit} slower, proven: ${regressed}.`,
    ...(open === "" ? [] : [
      `Not proven and not excluded: ${open}${strict ? ", which --strict does not accept" : ""}.`,
    ]),
  ];
}

/**
 * The noise of this machine: of the file that was named, or the newest of the same host and load generator.
 *
 * @throws {UsageError} for a file that is no report of `bench noise`.
 */
export async function noiseFor(
  { host, config: { generator } }: Pick<Report, "host" | "config">,
  { noise: path }: GateOptions,
): Promise<NoiseFloor> {
  if (path === "none") return NO_NOISE;
  if (path === undefined) {
    const found = await newestNoise((report) =>
      report.config.generator === generator &&
      runDifferences(report, { ...report, host }).length === 0
    );
    return found === null ? NO_NOISE : { noise: found.report.noise, source: found.path };
  }
  return { noise: await readNoise(path), source: path };
}

/**
 * What a report of `bench noise` says.
 *
 * @throws {UsageError} for any other file.
 */
export async function readNoise(path: string): Promise<readonly Noise[]> {
  const { noise } = await readReport(fromCaller(path));
  if (noise.length > 0) return noise;
  throw new UsageError(`Cannot use ${path} as noise: it is no report of bench noise`);
}
