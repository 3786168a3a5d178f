/** Plans an experiment without measuring it: `--dry-run`. */
import { resolve } from "node:path";
import { assertResumable } from "../analysis/resumable.ts";
import { summariseScenarios } from "../analysis/summaries.ts";
import { namedGenerators } from "../engine/choose_generators.ts";
import { budgetS, costRoundS, estimateS, mostAddedS, profilesS } from "../experiment/durations.ts";
import { driverOf, resume } from "../experiment/parts.ts";
import { confirmationRounds, hasFreshProcesses, Planner } from "../experiment/planner.ts";
import { recordOf } from "../experiment/compose.ts";
import { SearchPlanner } from "../experiment/search_plan.ts";
import type { Block } from "../model/block.ts";
import { FINE, UsageError } from "../model/errors.ts";
import type { Plan } from "../model/events.ts";
import type { Experiment, ExperimentRecord, Trial, Variant } from "../model/experiment.ts";
import type { Reason } from "../model/reason.ts";
import type { Report } from "../model/report.ts";
import { count, nonEmpty, share, toJson } from "../model/text.ts";
import { claimPath } from "../results/store.ts";
import { inspected } from "../target/sampler.ts";
import { Toolchain } from "../target/toolchain.ts";
import { duration, roughly } from "../view/format.ts";
import { describeReason, describeSlo, withReason } from "../view/reasons.ts";
import type { Io } from "./io.ts";
import { pathOfReport, type RunSettings, testbedOptions } from "./command.ts";

interface PlannedProfile extends Pick<Trial, "variant" | "scenario" | "load"> {
  /** Why there will be no profile; null if there will be one. */
  readonly reason: Reason | null;
}

interface PlanDetails {
  readonly skipped?: readonly { readonly id: string; readonly reason: string }[];
  /** Scenarios that will not be measured, because the server's manifest lacks them. */
  readonly lacking?: readonly { readonly id: string; readonly scenarios: readonly string[] }[];
  readonly profiles?: readonly PlannedProfile[];
  /** Longest time of the search for a capacity, in seconds; null without a search. */
  readonly searchS?: number | null;
}

/** Returns a line for each window and block, then the later steps and the missing servers. */
export function describePlan(
  { kind, variants, scenarios, design, search }: ExperimentRecord,
  plan: Plan,
  { skipped = [], lacking = [], profiles = [], searchS = null }: PlanDetails = {},
): string {
  const { trials, blocks } = plan;
  const rounds = { ...plan, trials: trials.filter(({ purpose }) => purpose !== "pilot") };
  const generators = [...new Set(trials.map(({ generator }) => generator))].join(", ");
  const driven = Map.groupBy(variants, ({ generator }) => generator).entries()
    .map(([generator, own]) => `${own.map(({ id }) => id).join(", ")} with ${generator}`);
  const estimatedS = estimateS(plan) + profilesS(profiles.filter(({ reason }) => reason === null));
  const most = duration(estimatedS + mostAddedS(design, rounds, true));
  const size = nonEmpty(
    trials.length > 0 && `${count(trials.length, "window")} with ${generators}`,
    blocks.length > 0 && `${count(blocks.length, "block")} of slices`,
    `seed ${design.seed}`,
    `about ${duration(estimatedS)}, ${most} at most`,
  );
  const moreWarmupS = Math.max(
    ...[...trials.map(({ load }) => load), ...blocks].map(({ warmupS, mostWarmupS }) =>
      mostWarmupS - warmupS
    ),
  );
  const goal = search && `${describeSlo(search.slo)}, to within ${share(search.width)}`;
  const budget = duration(budgetS(design, rounds));
  return nonEmpty(
    `${kind}: ${driven.toArray().join("; ")}, at ${scenarios.join(", ")}`,
    ...windowLines(trials),
    ...blocks.map(describeBlock),
    size.join(", "),
    moreWarmupS > 0 &&
      `while a rate climbs, its warm-up takes up to ${
        roughly(moreWarmupS)
      } s more, which is not part of the times above`,
    search !== null && searchS !== null &&
      `then the search for the highest rate that meets ${goal}, and response times at ${
        search.shares.map(share).join(", ")
      } of it: ${duration(searchS)} at most`,
    design.fallback !== null &&
      `${design.fallback} replaces ${generators} at scenarios at which it would be the bottleneck`,
    design.maxRounds > design.rounds &&
      `then rounds up to ${design.maxRounds}, ${budget} at most, ${
        design.until === "verdict"
          ? "where a change is neither proven nor excluded"
          : `while half intervals exceed ${share(design.width)}`
      }`,
    design.failOn !== null && blocks.length > 0 &&
      `then ${count(confirmationRounds(design), "round")} to confirm slowdowns of more than ${
        share(design.failOn)
      }`,
    ...profileLines(profiles),
    design.costs.length > 0 &&
      `then costs (${design.costs.join(", ")}), in ${count(design.rounds, "round")}, about ${
        costRoundS(design.costs, scenarios.length)
      } s each, which is not part of the times above`,
    design.counts && "then counts for each request, without load: about 4 s at each scenario",
    design.differences !== "none" &&
      `then profiles of both sides, about 35 s at each scenario${
        design.differences === "changed" ? " with a proven change" : ""
      }`,
    ...skipped.map(({ id, reason }) => withReason(`skipped: ${id}`, reason)),
    ...lacking.map(({ id, scenarios }) => `not in the manifest of ${id}: ${scenarios.join(", ")}`),
  ).join("\n");
}

function profileLines(profiles: readonly PlannedProfile[]): string[] {
  const servers = Map.groupBy(profiles, ({ variant }) => variant);
  return [...servers].flatMap(([variant, own]) => {
    const [{ reason, load }] = own as [PlannedProfile];
    const scenarios = [...new Set(own.map(({ scenario }) => scenario))].join(", ");
    return reason === null
      ? `then a profile of ${variant} at ${scenarios}, ${load.durationS} s each, in separate processes`
      : withReason(`no profile of ${variant}`, describeReason(reason));
  });
}

function windowLines(trials: readonly Trial[]): string[] {
  const widthOf = (field: "variant" | "scenario"): number =>
    Math.max(0, ...trials.map((trial) => trial[field].length));
  const [variantWidth, scenarioWidth] = [widthOf("variant"), widthOf("scenario")];
  return trials.map(({ index, purpose, round, variant, scenario, load }) => {
    const { connections, warmupS, durationS, responses } = load;
    const time = `${durationS} s`;
    const window = responses === null ? time : `${responses} responses (about ${time})`;
    return [
      `${String(index + 1).padStart(4)}  ${purpose === "pilot" ? "pilot  " : `round ${round}`}`,
      variant.padEnd(variantWidth),
      scenario.padEnd(scenarioWidth),
      `${count(connections, "connection")}, ${warmupS} s warm-up, ${window}`,
    ].join("  ");
  });
}

function describeBlock(
  { round, scenario, variants, connections, warmupS, earlyS, durationS }: Block,
): string {
  const early = Object.entries(earlyS).map(([id, seconds]) => `${id}: ${warmupS + seconds} s`);
  const longer = early.length > 0 ? ` (${early.join(", ")})` : "";
  const load = `${count(connections, "connection")} to each, ${warmupS} s warm-up${longer}`;
  const times = `${load}, ${roughly(durationS)} s`;
  return `      round ${round}  ${variants.join(", ")} in slices  ${scenario}  ${times}`;
}

/** Prints an experiment and its first rounds; throws the errors that the run would throw. */
export async function dryRun(
  experiment: Experiment,
  settings: RunSettings,
  io: Io,
  resumed: Report | null = null,
): Promise<number> {
  const testbed = await io.testbed(testbedOptions(settings, io));
  namedGenerators(experiment, await testbed.generators());
  await claimPath(resolve(io.folder, pathOfReport(settings, testbed.origin, io)));
  const { reference } = experiment;
  const toolchain = new Toolchain();
  const asked = [...experiment.variants, ...(reference === null ? [] : [reference])];
  const reasons = await Promise.all(asked.map(({ server }) => toolchain.missing(server)));
  const skipped = asked.flatMap(({ id }, i) => {
    const reason = reasons[i] ?? null;
    return reason === null ? [] : [{ id, reason }];
  });
  const failed = resumed?.servers.filter(({ failure }) => failure !== null) ?? [];
  const isThere = ({ id }: Variant): boolean =>
    ![...skipped, ...failed].some((one) => one.id === id);
  const variants = experiment.variants.filter(isThere);
  const search = experiment.search && new SearchPlanner(experiment, variants);
  const earlierDriver = (scenario: string): string | undefined =>
    resumed === null ? undefined : driverOf(resumed, scenario);
  const planner = new Planner(
    experiment,
    { variants, reference: reference !== null && isThere(reference) ? reference : null },
    ({ generator }, { id }) => earlierDriver(id) ?? generator,
  );
  const all = search?.pilots() ?? firstPlan(planner, earlierDriver);
  const plan = resumed === null ? all : restOf(all, experiment, variants, resumed);
  if (resumed === null && skipped.length === 0 && plan.trials.length + plan.blocks.length === 0) {
    throw new UsageError("No server implements any of the scenarios");
  }
  const ids = experiment.scenarios.map(({ id }) => id);
  const lacking = variants.filter(({ server }) => server.attached === null) // a URL has no manifest
    .map(({ id, server }) => ({ id, scenarios: ids.filter((id) => !(id in server.scenarios)) }))
    .filter(({ scenarios }) => scenarios.length > 0);
  const profiles = planner.profiles().map(({ variant: { id, server }, scenario, load }) => {
    const { reason } = inspected(server);
    return { variant: id, scenario: scenario.id, load, reason };
  });
  const record = recordOf(experiment);
  if (settings.json) io.out(toJson({ experiment: record, ...plan, profiles, skipped, lacking }));
  else {
    const searchS = search?.mostS() ?? null;
    io.say(describePlan(record, plan, { skipped, lacking, profiles, searchS }));
  }
  return FINE;
}

/** Returns the first rounds, and pilot windows of the scenarios without a driver in an earlier part. */
function firstPlan(
  planner: Planner,
  earlierDriver: (scenario: string) => string | undefined,
): Plan {
  const pilots = planner.pilots().trials
    .filter(({ scenario }) => earlierDriver(scenario) === undefined);
  const { trials, blocks } = planner.firstRounds();
  return { trials: [...pilots, ...trials], blocks };
}

/** Returns what is left of a plan. Throws the errors of the run that can be known before it. */
function restOf(
  { trials, blocks }: Plan,
  experiment: Experiment,
  variants: readonly Variant[],
  resumed: Report,
): Plan {
  const known = { experiment: recordOf(experiment), scenarios: summariseScenarios(experiment) };
  assertResumable(resumed, { ...resumed, ...known });
  const isPilot = ({ purpose }: Trial): boolean => purpose === "pilot";
  const rounds = { trials: trials.filter((trial) => !isPilot(trial)), blocks };
  const { design } = experiment;
  const isFresh = hasFreshProcesses(design, variants);
  const { left } = resume(rounds, resumed, isFresh, design.budgetS !== null);
  return { trials: [...trials.filter(isPilot), ...left.trials], blocks: left.blocks };
}
