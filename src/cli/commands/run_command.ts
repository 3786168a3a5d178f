/** The commands that measure and print the report's tables: run, capacity, noise and generators. */
import { isPresent } from "../../engine/generator_pool.ts";
import { run as measured } from "../../engine/run.ts";
import { DEFAULT_SLO, parseSlo } from "../../experiment/slo.ts";
import {
  capacityExperiment,
  generatorsExperiment,
  noiseExperiment,
  pilotExperiment,
  rateExperiment,
  type Rates,
  runExperiment,
  scalingExperiment,
} from "../../experiment/kinds.ts";
import { type Draft, draftOf } from "../../experiment/options.ts";
import { readPreset } from "../../experiment/preset.ts";
import { select } from "../../experiment/select.ts";
import { type CostGroup, LOADED_GROUPS, USUAL_GROUPS } from "../../model/costs.ts";
import { Failure, UsageError } from "../../model/errors.ts";
import type { Experiment, OpenPlan } from "../../model/experiment.ts";
import type { Report } from "../../model/report.ts";
import type { Scenario } from "../../model/scenario.ts";
import { toJson } from "../../model/text.ts";
import { readReport } from "../../results/read_report.ts";
import { isUnderWay } from "../../results/store.ts";
import { environment } from "../../view/environment_text.ts";
import { markdown } from "../../view/markdown.ts";
import { createProgress } from "../../view/progress.ts";
import { describeStatus } from "../../view/reasons.ts";
import { draw, wrap } from "../../view/table.ts";
import { generatorsTable, noiseTable } from "../../view/tables/experiment_tables.ts";
import { terminal } from "../../view/terminal.ts";
import { type Options, readExplained, settingsOf, testbedOptions } from "../command.ts";
import type { Io } from "../io.ts";
import { carryOut, type Presentation, repeatTables, whyNotResumed } from "../measure.ts";

export async function run(args: readonly string[], given: Options, io: Io): Promise<number> {
  const resumed = given.resume === undefined ? null : await readRun(given.resume, io);
  const options: Options = {
    ...given,
    ...resumed && {
      seed: given.seed ?? resumed.experiment.design.seed,
      out: given.out ?? given.resume ?? "",
    },
  };
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
    ...(options.measure && { measure: alone(options.measure) }),
  });
  const rates = ratesFor(draft.scenarios, options.rate);
  assertCosts(draft, rates === null && workers.length === 1);
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
  const obstacle = resumed && whyNotResumed(experiment);
  if (obstacle) throw new UsageError(`Cannot resume ${given.resume}: ${obstacle}`);
  const presentation = tablesOf(experiment, options, io);
  const settings = await settingsOf(
    options,
    io,
    given.resume === undefined ? [] : [await Deno.realPath(io.path(given.resume))],
  );
  const known = hasShares
    ? rateExperiment(draft, rates, await closedLoopRates(draft, settings, io))
    : experiment;
  return await carryOut(known, settings, io, presentation, resumed);
}

/** Returns the report of a run to resume; throws UsageError if it is of another kind, or still changes. */
async function readRun(name: string, io: Io): Promise<Report> {
  const path = await Deno.realPath(io.path(name)).catch(() => io.path(name));
  if (await isUnderWay(path)) throw new UsageError(`Cannot resume ${name}: its run is under way`);
  const report = await readReport(path);
  if (report.kind === "run") return report;
  throw new UsageError(`Cannot resume ${name}: runners of k6 measured it`);
}

/** Returns groups of costs; if these are all, those that one server has without load. */
function alone(groups: readonly CostGroup[]): readonly CostGroup[] {
  const isAll = USUAL_GROUPS.every((group) => groups.includes(group));
  return groups.filter((group) => !isAll || !LOADED_GROUPS.includes(group));
}

/** Throws a UsageError if costs cannot be measured. `isPlain`: whether rates of closed loops are. */
function assertCosts({ servers, design: { costs, isTimed } }: Draft, isPlain: boolean): void {
  if (costs.length === 0) {
    if (isTimed) return;
    throw new UsageError("Nothing is left to measure: leave out --no-timing, or use --measure");
  }
  if (!isPlain) throw new UsageError("--measure needs one --workers, and no --rate");
  const loaded = costs.filter((group) => LOADED_GROUPS.includes(group));
  if (loaded.length > 0) {
    throw new UsageError(
      `Cannot measure ${loaded.join(", ")} of one server: use versus, or --rate for response times`,
    );
  }
  const attached = servers.find(({ attached }) => attached !== null);
  if (attached !== undefined) {
    throw new UsageError(`Cannot --measure ${attached.id}: Stampede must start the server`);
  }
}

/** Options that can be given with a preset with tables. It sets the others, or they would change the published load. */
const WITH_PRESET = [
  ...["preset", "markdown", "dryRun", "debug", "seed", "pin"],
  ...["cpuWorkers", "queueLimit", "cache", "allowRemoteDatabase"],
];

/** Throws a UsageError with the first option, if any, that a preset with tables sets. */
function assertNotSet({ given = [], slices, timing }: Options): void {
  const other = given.find((option) => !WITH_PRESET.includes(option));
  if (other === undefined) return;
  const isNegated = { slices, timing }[other] === false;
  const flag = other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(
    `A preset sets its options itself: leave out --${isNegated ? "no-" : ""}${flag}`,
  );
}

/** Returns how `run` and `capacity` present a report; throws UsageError for an invalid --explain. */
function tablesOf(
  { scenarios }: Experiment,
  { explain, wide = false, out, json }: Options,
  io: Io,
): Presentation<Report> {
  const explained = readExplained(explain, scenarios);
  const extent = { explained, isWide: wide, file: out ?? null };
  return {
    print: (report) => io.out(json ? toJson(report) : terminal(report, io.screen, extent)),
    summary: (report) => markdown([report]),
  };
}

/** Returns the rates of --rate, or of scenarios that have fixed rates; null for closed loops. */
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

/** Measures the slowest server's rate in a closed loop, for a --rate in percent. The report is not kept. */
async function closedLoopRates(
  draft: Draft,
  options: Options,
  io: Io,
): Promise<OpenPlan["closedLoopPerS"]> {
  const experiment = pilotExperiment(draft);
  const testbed = await io.testbed(testbedOptions(options, io));
  const progress = createProgress({ ...io.progress, variants: experiment.variants.length });
  let results: Report["results"] = [];
  try {
    for await (const event of measured(experiment, testbed, io.stop)) {
      if (event.kind === "report") results = event.report.results;
      progress.show(event);
    }
  } finally {
    progress.close();
  }
  return Object.fromEntries(experiment.scenarios.map(({ id }) => {
    const rates = results.filter(({ scenario }) => scenario === id)
      .flatMap(({ requestsPerS }) => requestsPerS?.median ?? []);
    if (rates.length > 0) return [id, Math.min(...rates)];
    throw new Failure(
      `Cannot take a share of the rate at ${id}: no server answered it; give --rate in requests per second`,
    );
  }));
}

export async function capacity(args: readonly string[], options: Options, io: Io): Promise<number> {
  const draft = draftOf(await select(args, options, io.path), options);
  const experiment = capacityExperiment(draft, options.slo ?? parseSlo(DEFAULT_SLO));
  const presentation = tablesOf(experiment, options, io);
  return await carryOut(experiment, await settingsOf(options, io), io, presentation);
}

function sayTable(
  report: Report,
  table: readonly string[],
  legend: string,
  io: Io,
  notes: readonly string[] = [],
): void {
  const explained = [...wrap(legend, io.screen.columns, ""), ...notes, ...environment(report)];
  io.say(["", ...table, "", ...explained, ""].join("\n"));
}

const NOISE_LEGEND =
  "Ratio of a server to itself, paired over the rounds, with its 95 % confidence interval. The floor is the " +
  "largest distance of the interval from 1: with these settings, a smaller difference on this machine means " +
  "nothing. Slices: the floor for the versus command, and for servers in one run. Windows: the floor for two " +
  "reports.";

export async function noise(args: readonly string[], options: Options, io: Io): Promise<number> {
  const experiment = noiseExperiment(draftOf(await select(args, options, io.path), options));
  return await carryOut(experiment, await settingsOf(options, io), io, {
    print: (report) => {
      const notes = report.results.filter(({ status }) => status !== "ok")
        .map((result) => `${result.scenario} of ${result.variant}: ${describeStatus(result)}`);
      sayTable(report, draw(noiseTable(report), io.screen), NOISE_LEGEND, io, notes);
    },
  });
}

const GENERATORS_LEGEND =
  "One server under each load generator, in the same rounds: the rate, the CPU time per response of the " +
  "generator and of the server, and the bottleneck. If the generator is the bottleneck, the rate is the " +
  "generator's, and the server's CPU/req includes some waiting. Compare CPU/req of servers only under one " +
  "generator.";

export async function generators(
  args: readonly string[],
  options: Options,
  io: Io,
): Promise<number> {
  const scenarios = args.length > 0 ? args : ["text"];
  const draft = draftOf(await select(scenarios, options, io.path), options);
  const settings = await settingsOf(options, io);
  const all = await (await io.testbed(testbedOptions(options, io))).generators();
  const ids = all.filter(isPresent).map(({ generator }) => generator.id);
  const missing = all.flatMap(({ generator: { id }, found }) =>
    "install" in found ? [`${id.padEnd(12)}not installed: ${found.install}`] : []
  );
  return await carryOut(generatorsExperiment(draft, ids), settings, io, {
    print: (report) => {
      const table = draw(generatorsTable(report), io.screen);
      sayTable(report, [...table, ...missing], GENERATORS_LEGEND, io);
    },
  });
}
