/** Makes the output of `bench noise`. */

import { run as measured } from "../../engine/run.ts";
import type { Testbed } from "../../engine/testbed.ts";
import { DEFAULT_SLO, parseSlo } from "../../experiment/durations.ts";
import {
  capacityExperiment,
  type ClosedLoopRates,
  noiseExperiment,
  pilotExperiment,
  rateExperiment,
  type Rates,
  runExperiment,
  scalingExperiment,
} from "../../experiment/kinds.ts";
import { draftOf } from "../../experiment/options.ts";
import { readPreset } from "../../experiment/preset.ts";
import { select } from "../../experiment/select.ts";
import { Failure, UsageError } from "../../model/errors.ts";
import type { Experiment, Slo } from "../../model/experiment.ts";
import type { Report } from "../../model/report.ts";
import type { Scenario } from "../../model/scenario.ts";
import { toJson } from "../../model/text.ts";
import { draw, type Screen } from "../../view/draw.ts";
import { environment } from "../../view/environment_text.ts";
import { markdown } from "../../view/markdown.ts";
import { createProgress } from "../../view/progress.ts";
import { describeStatus } from "../../view/reasons.ts";
import { wrap } from "../../view/table.ts";
import { noiseTable } from "../../view/tables/experiment_tables.ts";
import { terminal } from "../../view/terminal.ts";
import type { Io } from "../io.ts";
import { carryOut, type Presentation } from "../measure.ts";
import { readExplained } from "../outputs.ts";
import { repeatTables } from "../repeat_preset.ts";
import { type MeasureOptions, settingsOf } from "../run_settings.ts";

/** Options of the commands that print the tables of a report. */
interface TableOptions extends MeasureOptions {
  readonly explain?: string;
  readonly wide: boolean;
}

/** Options of `run`, as parsed. */
interface RunOptions extends TableOptions {
  /** Id of a built-in preset, or path of a preset's file. */
  readonly preset?: string;
  /** Whether --quick is given. Its defaults are already in the other options. */
  readonly quick?: boolean;
  /** Rates of open loops. */
  readonly rate?: Rates;
}

/**
 * Runs `run`: measures the chosen scenarios, writes the report and prints the summary.
 *
 * @returns the exit code
 * @throws {UsageError} if the options contradict each other
 */
export async function run(args: readonly string[], options: RunOptions, io: Io): Promise<number> {
  const workers = [options.workers ?? 1].flat();
  if (workers.length > 1 && (options.preset ?? options.rate) !== undefined) {
    throw new UsageError("Give one --workers with --rate or --preset");
  }
  if (options.preset !== undefined && args.length > 0) {
    throw new UsageError("A preset selects its scenarios itself: leave out the scenarios");
  }
  const preset = options.preset === undefined ? null : await readPreset(options.preset, io.path);
  if (preset !== null && preset.tables.length > 0) {
    assertNotSet(options);
    const draft = draftOf({ servers: [], scenarios: [], reference: null }, options);
    return await repeatTables(preset, draft, await settingsOf(options, io), io);
  }
  if (preset !== null && !options.json) io.say(`${preset.title}\n${preset.source}`);
  const draft = draftOf(await select(preset?.scenarios ?? args, options, io.path), {
    ...(preset?.connections && { connections: [preset.connections] }),
    ...options,
  });
  const rates = ratesFor(draft.scenarios, options.rate);
  const hasShares = rates !== null && rates.shares.length > 0;
  if (options.dryRun && hasShares) {
    throw new UsageError(
      "Cannot plan a --rate in percent, since it needs a measurement: give requests per second",
    );
  }
  const experiment = workers.length > 1
    ? scalingExperiment(draft, workers)
    : rates === null
    ? runExperiment(draft)
    : rateExperiment(draft, rates);
  const presentation = tablesOf(experiment, options, io);
  const settings = await settingsOf(options, io);
  const known = hasShares
    ? rateExperiment(
      draft,
      rates,
      await closedLoopRates(pilotExperiment(draft), settings.testbed(), io),
    )
    : experiment;
  return await carryOut(known, settings, io, presentation);
}

/** Options that cannot be given with a preset with tables, because the preset sets them. */
const OVERRIDDEN = [
  "connections",
  "warmup",
  "rounds",
  "maxRounds",
  "generator",
  "dbPool",
  "servers",
  "server",
  "scenario",
  "out",
  "json",
  "explain",
  "request",
  "header",
  "data",
  "pid",
  "html",
  "csv",
  "profile",
] as const satisfies readonly (keyof RunOptions)[];

/**
 * Checks that there is no option that a preset with tables sets.
 *
 * @throws {UsageError} with the option
 */
function assertNotSet(options: RunOptions): void {
  const given = options.quick
    ? "quick"
    : OVERRIDDEN.find((option) => options[option] !== undefined && !!options[option]);
  if (given !== undefined) {
    const flag = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(`A preset sets its options itself: leave out --${flag}`);
  }
}

/**
 * Returns how `run` and `capacity` present a report: by its tables.
 *
 * @throws {UsageError} if --explain names a scenario that is not measured
 */
function tablesOf(
  { scenarios }: Experiment,
  { explain, wide, out, json }: TableOptions,
  io: Io,
): Presentation<Report> {
  const explained = readExplained(explain, scenarios);
  const extent = { explained, isWide: wide, file: out ?? null };
  return {
    print: (report) => io.out(json ? toJson(report) : terminal(report, io.screen, extent)),
    summary: (report) => markdown([report]),
  };
}

/**
 * Returns the rates of --rate, or of scenarios that have fixed rates; null for closed loops.
 *
 * @throws {UsageError} if only some of the scenarios have fixed rates and --rate is missing
 */
function ratesFor(scenarios: readonly Scenario[], rate: Rates | undefined): Rates | null {
  const own = scenarios.filter(({ beside }) => beside !== undefined);
  if (rate !== undefined || own.length === 0) return rate ?? null;
  if (own.length < scenarios.length) {
    const names = own.map(({ id }) => id).join(", ");
    throw new UsageError(
      `Cannot measure ${names} together with other scenarios: give a --rate for all of them`,
    );
  }
  return { perS: [], shares: [] };
}

/**
 * Measures the rate of the slowest server at each scenario, in a closed loop of one second. A --rate
 * in percent means a share of that rate. The report of this measurement is not kept.
 *
 * @returns responses per second by scenario
 * @throws {Failure} if no server answers a scenario
 */
async function closedLoopRates(
  experiment: Experiment,
  testbed: Testbed,
  io: Io,
): Promise<ClosedLoopRates> {
  const progress = createProgress({ ...io.progress, variants: experiment.variants.length });
  let report: Report | null = null;
  try {
    for await (const event of measured(experiment, testbed, io.stop)) {
      if (event.kind === "report") report = event.report;
      progress.show(event);
    }
  } finally {
    progress.close();
  }
  const results = report?.results ?? [];
  return Object.fromEntries(experiment.scenarios.map(({ id }) => {
    const rates = results.filter(({ scenario }) => scenario === id)
      .flatMap(({ requestsPerS }) => requestsPerS?.median ?? []);
    if (rates.length === 0) {
      throw new Failure(
        `Cannot take a share of the rate at ${id}: no server answered it; give --rate in requests per second`,
      );
    }
    return [id, Math.min(...rates)];
  }));
}

/**
 * Runs `capacity`: finds the highest rate at which each server meets an SLO, and measures response times at
 * shares of it.
 *
 * @returns the exit code
 */
export async function capacity(
  args: readonly string[],
  options: TableOptions & { readonly slo?: Slo },
  io: Io,
): Promise<number> {
  const draft = draftOf(await select(args, options, io.path), options);
  const experiment = capacityExperiment(draft, options.slo ?? parseSlo(DEFAULT_SLO));
  const presentation = tablesOf(experiment, options, io);
  return await carryOut(experiment, await settingsOf(options, io), io, presentation);
}

const LEGEND =
  "Ratio of a server to itself, paired over the rounds, with its 95 % confidence interval. The floor is the " +
  "largest distance of the interval from 1: with these settings, a smaller difference on this machine means " +
  "nothing. Slices: the floor for the versus command, and for servers in one run. Windows: the floor for two " +
  "reports.";

/** Returns the noise of a server for a terminal. */
function noiseText(report: Report, screen: Screen): string {
  return [
    "",
    ...draw(noiseTable(report), screen),
    "",
    ...wrap(LEGEND, screen.columns, ""),
    ...report.results.filter(({ status }) => status !== "ok").map((result) =>
      `${result.scenario} of ${result.variant}: ${describeStatus(result)}`
    ),
    ...environment(report),
    "",
  ].join("\n");
}

/**
 * Runs `noise`: measures a server against itself. The result is the noise floor: smaller differences
 * between servers mean nothing.
 *
 * @returns the exit code
 */
export async function noise(
  args: readonly string[],
  options: MeasureOptions,
  io: Io,
): Promise<number> {
  const experiment = noiseExperiment(draftOf(await select(args, options, io.path), options));
  return await carryOut(experiment, await settingsOf(options, io), io, {
    print: (report) => io.say(noiseText(report, io.screen)),
  });
}
