/** The commands that compare: `compare` two reports, `versus` two revisions or two servers. */
import { relative } from "node:path";
import { isInconclusive, isRegression, type NoiseFloor } from "../../analysis/changes.ts";
import { hostDifferences } from "../../analysis/comparable.ts";
import { groupOf, thresholdOf } from "../../analysis/cost_changes.ts";
import { compareReports } from "../../analysis/derive_changes.ts";
import { compareVariants } from "../../analysis/variant_changes.ts";
import { isSameWorkload, resultKeyOf } from "../../analysis/keys.ts";
import { changesOfMerged } from "../../distributed/distributed_report.ts";
import { BASE, HEAD, versusExperiment } from "../../experiment/kinds.ts";
import { type Draft, draftOf } from "../../experiment/options.ts";
import { select } from "../../experiment/select.ts";
import { COST_GROUPS, NO_THRESHOLDS, type Thresholds } from "../../model/costs.ts";
import type { Changes, Noise } from "../../model/derived.ts";
import { FAILED, FINE, UNDECIDED, UsageError } from "../../model/errors.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import type { Server } from "../../model/server.ts";
import { toJson } from "../../model/text.ts";
import { allOf } from "../../process/all_of.ts";
import { ProcessScope } from "../../process/scope.ts";
import { readReport } from "../../results/read_report.ts";
import { lastTwoRuns, newestNoise } from "../../results/run_index.ts";
import { type Place, writeWhole } from "../../results/store.ts";
import { findState, type State } from "../../target/state.ts";
import {
  changesMarkdown,
  changesText,
  notesOfReports,
  notesOfVersus,
} from "../../view/changes_text.ts";
import { draw } from "../../view/table.ts";
import { markdownTable } from "../../view/markdown.ts";
import { type Gate, gateNotes } from "../../view/gate_notes.ts";
import { mergedChangesTable } from "../../view/tables/distributed_tables.ts";
import { appendJobSummary, type Options, type RunSettings, settingsOf } from "../command.ts";
import type { Io } from "../io.ts";
import { carryOut } from "../measure.ts";

export async function compare(paths: readonly string[], options: Options, io: Io): Promise<number> {
  const gate = gateOf(options);
  assertOfSpeed(options.failOn, "Reports do not compare costs");
  if (![0, 2].includes(paths.length)) {
    throw new UsageError(
      "Cannot compare: give two reports, the base first, or none for the last two runs",
    );
  }
  const [basePath, headPath] = paths.length === 2
    ? paths.map((path) => io.path(path)) as [string, string]
    : await lastTwoRuns(io);
  const base = await readReport(basePath);
  const head = await readReport(headPath);
  const read = await Promise.all([basePath, headPath].map((path) => Deno.realPath(path)));
  if (base.kind === "distributed" || head.kind === "distributed") {
    return await compareMerged(base, head, read, options, io);
  }
  for (const [path, report] of [[basePath, base], [headPath, head]] as const) {
    if (report.experiment.search === null) continue;
    throw new UsageError(
      `Cannot compare capacities: print each one instead, with stampede report ${path}`,
    );
  }
  const settings = await settingsOf(options, io, read);
  const { force = false, json, noise } = options;
  const floor = await readNoise(noise, io) ?? await noiseFor(head, io);
  const changes = compareReports(base, head, { ...floor, force });
  const notes = notesOfReports(base, head);
  const [baseName, headName] = [relative(io.folder, basePath), relative(io.folder, headPath)];
  const title = `${baseName} and ${headName}`;
  if (paths.length === 0 && !json) io.out(`Comparing ${title}`);
  await show(changes, title, notes, settings, io);
  const page = settings.outputs.get("html");
  if (page !== undefined) {
    // Loaded here, because only charts need their library
    const { comparePage } = await import("../../view/html/page.ts");
    const text = await comparePage(
      { name: baseName, report: base },
      { name: headName, report: head },
      changes,
      { gate: gateNotes(changes, gate), notes },
    );
    await writeWhole(page, text);
    if (!json) io.out(`The page is in ${page}`);
  }
  if (json) io.out(toJson(changes));
  return exitCodeOf(changes, gate);
}

/** Limits of a comparison of merged k6 runners, as notes. */
const MERGED_NOTES = [
  "Change: from base to head. Times are known by histogram bucket; brackets show the possible range of the change.",
  "Both are single runs without rounds: a change may be noise, and nothing is proven.",
] as const;

/**
 * Compares two reports of `stampede import`, which merges runners (k6 on several machines). Each report is a
 * single run, so no change is proven: --fail-on never fails, and with --strict it never passes.
 */
async function compareMerged(
  base: AnyReport,
  head: AnyReport,
  read: readonly string[],
  options: Options,
  io: Io,
): Promise<number> {
  if (options.html !== undefined) {
    throw new UsageError(
      "Cannot write merged runners as HTML: use --markdown or --json instead of --html",
    );
  }
  const { outputs, json, strict, force, failOn } = await settingsOf(options, io, read);
  if (base.kind === "run" || head.kind === "run") {
    throw new UsageError(
      "Cannot compare a report of merged runners with a report of one machine: their methods differ",
    );
  }
  if (!force && base.test !== head.test) {
    throw new UsageError(
      "Cannot compare: the scripts of the two loads differ; --force compares the figures that both have",
    );
  }
  const changes = changesOfMerged(base, head);
  if (changes.length === 0) {
    throw new UsageError("Cannot compare: the two reports have no scenario with figures in common");
  }
  const table = mergedChangesTable(changes);
  const path = outputs.get("markdown");
  if (path !== undefined) {
    await writeWhole(path, `${markdownTable(table)}\n\n${MERGED_NOTES.join("\n")}\n`);
  }
  if (json) io.out(toJson(changes));
  else for (const line of [...draw(table, io.screen), ...MERGED_NOTES]) io.out(line);
  return failOn !== undefined && strict ? UNDECIDED : FINE;
}

export async function versus(args: readonly string[], options: Options, io: Io): Promise<number> {
  const gate = gateOf(options);
  if (options.base === undefined) {
    throw new UsageError("Cannot compare: give a git revision or a manifest, such as --base main");
  }
  const { timing = true, counts = true, profile = false } = options;
  if (!timing && gate.speed !== null) {
    throw new UsageError("--fail-on needs times: leave out --no-timing");
  }
  // A cost with a threshold is measured
  const measure = COST_GROUPS.filter((group) =>
    options.measure?.includes(group) || group in gate.costs
  );
  if (!timing && !counts && !profile && measure.length === 0) {
    throw new UsageError(
      "Nothing is left to measure: leave out --no-timing or --no-counts, or use --measure",
    );
  }
  const draft = draftOf(await select(args, options, io.path), { ...options, measure });
  const { scenarios } = draft;
  const server = onlyServer(draft, "compare");
  const settings = await settingsOf(options, io);
  let floor = await readNoise(options.noise, io);
  await using scope = new ProcessScope();
  const stateOf = (name: string | undefined): Promise<State> =>
    findState(server, name, {
      scope,
      resolve: io.path,
      stop: io.stop,
      onCheckOut: (name, commit) => io.err(`Checking out ${name} (${commit.slice(0, 12)})`),
    });
  // At the same time, because each revision takes seconds to check out
  const [base, head] = await allOf([stateOf(options.base), stateOf(options.head)]);
  for (const [{ label, server }, other] of [[base, head], [head, base]] as const) {
    const alone = scenarios.map(({ id }) => id)
      .filter((id) => id in server.scenarios && !(id in other.server.scenarios));
    if (alone.length > 0) io.err(`Left out ${alone.join(", ")}: only ${label} implements it`);
  }
  const outputs = new Map([...settings.outputs].filter(([format]) => format === "html"));
  const experiment = versusExperiment(draft, [base, head]);
  return await carryOut(experiment, { ...settings, outputs }, io, {
    complete: async (report) => {
      floor ??= await noiseFor(report, io);
      return { ...report, changes: compareVariants(report, [[BASE, HEAD]], floor) };
    },
    print: async (report) => {
      const title = `${base.label} and ${head.label}`;
      await show(report.changes, title, notesOfVersus(report), settings, io);
      if (settings.json) io.out(toJson(report.changes));
    },
    exitCode: ({ changes }) => exitCodeOf(changes, gate),
  });
}

/** Returns the server of a draft; throws a `UsageError` for several servers or a URL. */
export function onlyServer({ servers: [server, ...others] }: Draft, verb: string): Server {
  if (server === undefined || others.length > 0 || server.attached !== null) {
    throw new UsageError(
      `Cannot ${verb} several servers or a URL: name one server, with --servers or --server`,
    );
  }
  return server;
}

/** Throws a `UsageError` if there is a threshold for a cost. */
export function assertOfSpeed(thresholds: Thresholds | undefined, why: string): void {
  const [group] = Object.keys(thresholds?.costs ?? {});
  if (group !== undefined) throw new UsageError(`${why}: leave out ${group}= of --fail-on`);
}

function gateOf({ failOn, strict = false }: Options): Gate {
  if (strict && failOn === undefined) {
    throw new UsageError("--strict needs --fail-on, such as --fail-on 5%");
  }
  return { ...failOn ?? NO_THRESHOLDS, strict };
}

/** Prints changes, unless as JSON: that comes last, after all files are written. Writes Markdown. */
async function show(
  changes: Changes,
  title: string,
  notes: readonly string[],
  settings: RunSettings,
  io: Io,
): Promise<void> {
  const thresholds = gateOf(settings);
  const all = { gate: gateNotes(changes, thresholds), thresholds, notes };
  if (!settings.json) io.out(changesText(changes, all, io.screen));
  const text = changesMarkdown(title, changes, all);
  const path = settings.outputs.get("markdown");
  if (path !== undefined) await writeWhole(path, text);
  await appendJobSummary(text, io);
}

function exitCodeOf({ changes, costs, counts, functions }: Changes, gate: Gate): number {
  const limited = [...changes, ...costs].flatMap((change) => {
    const limit = thresholdOf(change, gate);
    return limit === null ? [] : [{ change, limit }];
  });
  if (limited.some(({ change, limit }) => isRegression(change, limit))) return FAILED;
  const isUntimed = changes.length === 0 &&
    (costs.length > 0 || (counts?.compared ?? 0) > 0 ||
      functions.some(({ compared }) => compared > 0));
  if (!isUntimed && changes.every(({ verdict }) => verdict === "incomparable")) return UNDECIDED;
  // A cost with a threshold may be missing
  const isMissing = Object.keys(gate.costs).some((group) =>
    costs.every((change) => groupOf(change) !== group)
  );
  const isOpen = isMissing || limited.some(({ change, limit }) => isInconclusive(change, limit));
  return gate.strict && isOpen ? UNDECIDED : FINE;
}

export const NO_NOISE: NoiseFloor = { noise: [], noiseSource: null };

/** Reads the noise floors of --noise; null without it. Throws UsageError for other files. */
export async function readNoise(path: string | undefined, io: Io): Promise<NoiseFloor | null> {
  if (path === undefined) return null;
  if (path === "none") return NO_NOISE;
  const report = await readReport(io.path(path));
  if (report.kind === "run" && report.noise.length > 0) {
    return { noise: report.noise, noiseSource: path };
  }
  throw new UsageError(`Cannot use ${path} as noise: it is not a report of the noise command`);
}

/** Returns the noise floors from this host's newest reports: for windows, of the same load. */
export async function noiseFor(
  { host, trialResults, experiment: { design } }: Report,
  place: Place,
): Promise<NoiseFloor> {
  const applies = (one: Noise, { generators: [generator] }: Report): boolean =>
    one.method === "slices"
      ? design.slices !== null
      : trialResults.some(({ trial }) =>
        trial.purpose === "measure" && trial.generator === generator?.id &&
        isSameWorkload(resultKeyOf(trial), one)
      );
  const noise: Noise[] = [];
  const paths = new Set<string>();
  for (const method of ["slices", "windows"] as const) {
    const known = (report: Report): Noise[] =>
      report.noise.filter((one) => one.method === method && applies(one, report));
    const found = await newestNoise(
      place,
      (one) => hostDifferences(one.host, host).length === 0 && known(one).length > 0,
    );
    if (found === null) continue;
    noise.push(...known(found.report));
    paths.add(found.path);
  }
  return paths.size === 0 ? NO_NOISE : { noise, noiseSource: [...paths].join(" and ") };
}
