/** Plans an experiment without measuring it: `--dry-run`. */
import { resolve } from "node:path";
import { namedGenerators } from "../engine/choose_generators.ts";
import { budgetS, estimateS, mostAddedS, profilesS } from "../experiment/durations.ts";
import { confirmationRounds, Planner } from "../experiment/planner.ts";
import { recordOf } from "../experiment/compose.ts";
import { SearchPlanner } from "../experiment/search_plan.ts";
import type { Block } from "../model/block.ts";
import { FINE, UsageError } from "../model/errors.ts";
import type { Plan } from "../model/events.ts";
import type { Experiment, ExperimentRecord, Trial, Variant } from "../model/experiment.ts";
import type { Reason } from "../model/reason.ts";
import { count, share, toJson } from "../model/text.ts";
import { claimPath, defaultPath } from "../results/store.ts";
import { inspected } from "../target/sampler.ts";
import { Toolchain } from "../target/toolchain.ts";
import { duration, roughly } from "../view/format.ts";
import { describeReason, describeSlo, withReason } from "../view/reasons.ts";
import type { Io } from "./io.ts";
import type { RunSettings } from "./run_settings.ts";

interface PlanDetails {
  readonly skipped?: readonly { readonly id: string; readonly reason: string }[];
  /** Scenarios that will not be measured, because the server's manifest lacks them. */
  readonly lacking?: readonly { readonly id: string; readonly scenarios: readonly string[] }[];
  /** Profiles of servers at scenarios; a `reason` says why there will be none. */
  readonly profiles?: readonly PlannedProfile[];
  /** Longest time of the search for a capacity, in seconds; null without a search. */
  readonly searchS?: number | null;
}

interface PlannedProfile extends Pick<Trial, "variant" | "scenario" | "load"> {
  readonly reason: Reason | null;
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
  const driven = [...Map.groupBy(variants, ({ generator }) => generator)].map(([generator, own]) =>
    `${own.map(({ id }) => id).join(", ")} with ${generator}`
  );
  const estimatedS = estimateS(plan) + profilesS(profiles.filter(({ reason }) => reason === null));
  const most = duration(estimatedS + mostAddedS(design, rounds, true));
  const lines = [
    `${kind}: ${driven.join("; ")}, at ${scenarios.join(", ")}`,
    ...windowLines(trials),
    ...blocks.map(describeBlock),
    [
      ...(trials.length > 0 ? [`${count(trials.length, "window")} with ${generators}`] : []),
      ...(blocks.length > 0 ? [count(blocks.length, "block") + " of slices"] : []),
      `seed ${design.seed}`,
      `about ${duration(estimatedS)}, ${most} at most`,
    ].join(", "),
  ];
  if (search !== null && searchS !== null) {
    const goal = `${describeSlo(search.slo)}, to within ${share(search.width)}`;
    const shares = search.shares.map(share).join(", ");
    lines.push(
      `then the search for the highest rate that meets ${goal}, and response times at ${shares} of it: ${
        duration(searchS)
      } at most`,
    );
  }
  if (design.fallback !== null) {
    lines.push(
      `${design.fallback} replaces ${generators} at scenarios at which it would be the bottleneck`,
    );
  }
  if (design.maxRounds > design.rounds) {
    const budget = duration(budgetS(design, rounds));
    lines.push(
      `then rounds up to ${design.maxRounds}, ${budget} at most, while half intervals exceed ${
        share(design.width)
      }`,
    );
  }
  if (design.failOn !== null && blocks.length > 0) {
    const again = count(confirmationRounds(design), "round");
    lines.push(`then ${again} to confirm slowdowns of more than ${share(design.failOn)}`);
  }
  return [
    ...lines,
    ...profileLines(profiles),
    ...skipped.map(({ id, reason }) => withReason(`skipped: ${id}`, reason)),
    ...lacking.map(({ id, scenarios }) => `not in the manifest of ${id}: ${scenarios.join(", ")}`),
  ].join("\n");
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
    const window = load.responses === null
      ? `${load.durationS} s`
      : `${load.responses} responses (about ${load.durationS} s)`;
    return [
      `${String(index + 1).padStart(4)}  ${purpose === "pilot" ? "pilot  " : `round ${round}`}`,
      variant.padEnd(variantWidth),
      scenario.padEnd(scenarioWidth),
      `${count(load.connections, "connection")}, ${load.warmupS} s warm-up, ${window}`,
    ].join("  ");
  });
}

function describeBlock(
  { round, scenario, variants, connections, warmupS, durationS }: Block,
): string {
  const load = `${count(connections, "connection")} to each, ${warmupS} s warm-up`;
  const times = `${load}, ${roughly(durationS)} s`;
  return `      round ${round}  ${variants.join(", ")} in slices  ${scenario}  ${times}`;
}

/** Prints an experiment and its first rounds; throws the errors that the run would throw. */
export async function dryRun(
  experiment: Experiment,
  { testbed: create, out, isQuiet }: RunSettings,
  io: Io,
): Promise<number> {
  const testbed = create();
  namedGenerators(experiment, await testbed.generators());
  const { createdAt, id } = testbed.origin;
  await claimPath(resolve(io.folder, out ?? defaultPath(createdAt, id)));
  const { reference, search } = experiment;
  const toolchain = new Toolchain();
  const all = [...experiment.variants, ...(reference === null ? [] : [reference])];
  const reasons = await Promise.all(all.map(({ server }) => toolchain.missing(server)));
  const skipped = all.flatMap(({ id }, i) => {
    const reason = reasons[i] ?? null;
    return reason === null ? [] : [{ id, reason }];
  });
  const isThere = ({ id }: Variant): boolean => !skipped.some((one) => one.id === id);
  const variants = experiment.variants.filter(isThere);
  const plan = planOf(experiment, {
    variants,
    reference: reference !== null && isThere(reference) ? reference : null,
  });
  if (skipped.length === 0 && plan.trials.length + plan.blocks.length === 0) {
    throw new UsageError("No server implements any of the scenarios");
  }
  const lacking = variants.flatMap(({ id, server }) => {
    if (server.attached !== null) return []; // a URL has no manifest
    const scenarios = experiment.scenarios.map(({ id }) => id)
      .filter((id) => !(id in server.scenarios));
    return scenarios.length === 0 ? [] : [{ id, scenarios }];
  });
  const profiles = new Planner(experiment, { variants, reference: null }).profiles()
    .map(({ variant, scenario, load }) => {
      const { reason } = inspected(variant.server);
      return { variant: variant.id, scenario: scenario.id, load, reason };
    });
  const record = recordOf(experiment);
  const searchS = search === null ? null : new SearchPlanner(experiment, variants).mostS();
  if (isQuiet) io.out(toJson({ experiment: record, ...plan, profiles, skipped, lacking }));
  else io.say(describePlan(record, plan, { skipped, lacking, profiles, searchS }));
  return FINE;
}

function planOf(
  experiment: Experiment,
  available: Pick<Experiment, "variants" | "reference">,
): Plan {
  if (experiment.search !== null) return new SearchPlanner(experiment, available.variants).pilots();
  const planner = new Planner(experiment, available);
  const pilots = planner.pilots();
  const { trials, blocks } = planner.firstRounds();
  return { trials: [...pilots.trials, ...trials], blocks };
}
