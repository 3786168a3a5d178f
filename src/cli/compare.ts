import type { Changes } from "../analysis/changes.ts";
import { compareReports, isInconclusive, isRegression } from "../analysis/changes.ts";
import { runDifferences, versionDifferences } from "../analysis/comparable.ts";
import { UsageError } from "../errors.ts";
import type { Noise } from "../findings.ts";
import type { Report } from "../report.ts";
import { changesNotes, changesTable } from "../report/changes.ts";
import { printable, share } from "../report/format.ts";
import { newestNoise } from "../report/history.ts";
import { markdownTable, markdownText } from "../report/markdown.ts";
import { readReport } from "../report/read.ts";
import { draw } from "../report/terminal.ts";
import { claimPath, writeWhole } from "../report/store.ts";
import { fromCaller } from "./choose.ts";
import { appendSummary } from "./outputs.ts";
import { say } from "./say.ts";
import { screenOf } from "./screen.ts";

/** Options of everything that compares and may gate. */
export interface GateOptions {
  /** A share: 0.05 is 5 %. */
  readonly failOn?: number;
  readonly strict?: boolean;
  /** A report of `bench noise`. */
  readonly noise?: string;
  readonly markdown?: string;
}

/** Options of `compare`, as the table of options yields them. */
export interface CompareOptions extends GateOptions {
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Exit codes of a gate. */
const REGRESSED = 1;
const UNDECIDED = 3;

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
  const [basePath, headPath] = paths;
  if (basePath === undefined || headPath === undefined || paths.length > 2) {
    throw new UsageError("Cannot compare: give two reports, the base first");
  }
  const [base, head] = await Promise.all(
    [basePath, headPath].map((path) => readReport(fromCaller(path))),
  ) as [Report, Report];
  const { noise, source } = await noiseFor(head, options);
  const changes = compareReports(base, head, { noise, force: options.force ?? false });
  if (options.json) say(JSON.stringify(changes));
  else {
    const versions = versionDifferences(base, head);
    await show(changes, options, `${basePath} and ${headPath}`, [
      ...(versions.length > 0 ? [`Versions that differ: ${versions.join(", ")}`] : []),
      ...(source === null ? [] : [`The noise floor is that of ${source}.`]),
    ]);
  }
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
  title: string,
  notes: readonly string[],
): Promise<void> {
  const table = changesTable(changes);
  const all = [...changesNotes(changes), ...notes, ...gateNotes(changes, options)];
  say(["", ...draw(table, screenOf()), "", ...all.map(printable)].join("\n"));
  const text = [
    ...[`### Stampede: ${markdownText(title)}`, "", markdownTable(table), ""],
    ...all.map((note) => `- ${markdownText(note)}`),
    "",
  ].join("\n");
  if (options.markdown !== undefined) {
    await writeWhole(await claimPath(fromCaller(options.markdown)), text);
  }
  await appendSummary(text);
}

/** The exit code: of a gate if there is one; 3 if nothing at all could be compared. */
export function verdictOf({ changes }: Changes, { failOn, strict }: GateOptions): number {
  if (changes.every(({ verdict }) => verdict === "incomparable")) return UNDECIDED;
  if (failOn === undefined) return 0;
  if (changes.some((change) => isRegression(change, failOn))) return REGRESSED;
  return strict && changes.some((change) => isInconclusive(change, failOn)) ? UNDECIDED : 0;
}

function gateNotes({ changes }: Changes, { failOn, strict }: GateOptions): string[] {
  if (failOn === undefined) return [];
  const named = (which: (change: Changes["changes"][number]) => boolean): string =>
    changes.filter(which).map(({ target, scenario }) => `${scenario} of ${target}`).join(", ");
  const regressed = named((change) => isRegression(change, failOn));
  const open = named((change) => isInconclusive(change, failOn));
  const limit = share(failOn);
  return [
    regressed === ""
      ? `Nothing is proven to be more than ${limit} slower.`
      : `More than ${limit} slower, proven: ${regressed}.`,
    ...(open === "" ? [] : [
      `Not proven and not excluded: ${open}${strict ? ", which --strict does not accept" : ""}.`,
    ]),
  ];
}

/** The noise of this machine: of the file that was named, or the newest of the same host. */
export async function noiseFor(
  report: Report,
  { noise: path }: GateOptions,
): Promise<{ readonly noise: readonly Noise[]; readonly source: string | null }> {
  if (path === "none") return { noise: [], source: null };
  const file = path === undefined ? await newestNoise() : fromCaller(path);
  if (file === null) return { noise: [], source: null };
  const found = await readReport(file);
  if (path !== undefined && found.noise.length === 0) {
    throw new UsageError(`Cannot use ${path} as noise: it is no report of bench noise`);
  }
  const isSameHost = !runDifferences(found, report).some((text) => text.startsWith("host:"));
  return path !== undefined || isSameHost
    ? { noise: found.noise, source: path ?? file }
    : { noise: [], source: null };
}
