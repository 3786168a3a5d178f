import { budgetS, estimateS, mostAddedS, profilesS } from "../experiment/durations.ts";
import { confirmationRounds } from "../experiment/planner.ts";
import type { Block } from "../model/block.ts";
import type { Plan } from "../model/events.ts";
import type { ExperimentRecord, Load, Trial, VariantRecord } from "../model/experiment.ts";
import type { Reason } from "../model/reason.ts";
import { count, duration, roughly, share } from "./format.ts";
import { describeSlo } from "./slo_text.ts";
import { describeReason, withReason } from "./reasons.ts";

/** A server that will not be measured, and what it lacks. */
export interface Skipped {
  readonly id: string;
  readonly reason: string;
}

/** Scenarios that a server will not be measured at, since its manifest does not name them. */
export interface Lacking {
  readonly id: string;
  readonly scenarios: readonly string[];
}

/** A server that will be profiled at a scenario, or why it will not be. */
export interface PlannedProfile {
  readonly variant: string;
  readonly scenario: string;
  readonly load: Load;
  readonly reason: Reason | null;
}

/** What a plan has beside windows and slices. */
export interface Besides {
  readonly skipped?: readonly Skipped[];
  readonly lacking?: readonly Lacking[];
  readonly profiles?: readonly PlannedProfile[];
  /** How many seconds a search takes at most; null: there is none. */
  readonly searchS?: number | null;
}

/** The plan of an experiment: what it is, a line for each window and block, and what may follow or be missing. */
export function describePlan(
  { kind, variants, scenarios, design, search }: ExperimentRecord,
  plan: Plan,
  { skipped = [], lacking = [], profiles = [], searchS = null }: Besides = {},
): string {
  const { trials, blocks } = plan;
  const rounds = { ...plan, trials: trials.filter(({ purpose }) => purpose !== "pilot") };
  const generators = [...new Set(trials.map(({ generator }) => generator))].join(", ");
  const profilingS = profilesS(profiles.filter(({ reason }) => reason === null));
  const parts = [
    ...(trials.length > 0 ? [`${count(trials.length, "window")} with ${generators}`] : []),
    ...(blocks.length > 0 ? [count(blocks.length, "block") + " of slices"] : []),
    `seed ${design.seed}`,
    `about ${duration(estimateS(plan) + profilingS)}, ${
      duration(estimateS(plan) + profilingS + mostAddedS(design, rounds, true))
    } at most`,
  ];
  return [
    `${kind}: ${driven(variants)}, at ${scenarios.join(", ")}`,
    ...windowLines(trials),
    ...blocks.map(describeBlock),
    parts.join(", "),
    ...(search === null || searchS === null ? [] : [
      `then the highest rate that meets ${describeSlo(search.slo)}, to ${
        share(search.width)
      }, and response times at ${search.shares.map(share).join(", ")} of it: ${
        duration(searchS)
      } at most`,
    ]),
    ...(design.fallback === null ? [] : [
      `${design.fallback} drives scenarios at which ${generators} turns out to be the bottleneck`,
    ]),
    ...(design.maxRounds > design.rounds
      ? [
        `then up to round ${design.maxRounds}, ${
          duration(budgetS(design, rounds))
        } at most, where intervals are wider than ${share(design.width)}`,
      ]
      : []),
    ...(design.failOn === null || blocks.length === 0 ? [] : [
      `and ${count(confirmationRounds(design), "round")} again of what is found to be more than ${
        share(design.failOn)
      } slower`,
    ]),
    ...profileLines(profiles),
    ...skipped.map(({ id, reason }) => withReason(`skipped: ${id}`, reason)),
    ...lacking.map(({ id, scenarios }) => `not in the manifest of ${id}: ${scenarios.join(", ")}`),
  ].join("\n");
}

/** A line for each server: where it will be profiled, or why it will not be. */
function profileLines(profiles: readonly PlannedProfile[]): string[] {
  const servers = Map.groupBy(profiles, ({ variant }) => variant);
  return [...servers].flatMap(([variant, own]) => {
    const [{ reason, load }] = own as [PlannedProfile];
    const scenarios = [...new Set(own.map(({ scenario }) => scenario))].join(", ");
    return reason === null
      ? `then a profile of ${variant} at ${scenarios}, ${load.durationS} s each, on processes of its own`
      : withReason(`no profile of ${variant}`, describeReason(reason));
  });
}

function windowLines(trials: readonly Trial[]): string[] {
  const widest = (names: readonly string[]): number =>
    Math.max(0, ...names.map((name) => name.length));
  const variantWidth = widest(trials.map(({ variant }) => variant));
  const scenarioWidth = widest(trials.map(({ scenario }) => scenario));
  return trials.map(({ index, purpose, round, variant, scenario, load }) => {
    const window = load.responses === null
      ? `${load.durationS} s`
      : `${load.responses} responses (about ${load.durationS} s)`;
    return [
      `${String(index + 1).padStart(4)}  ${purpose === "pilot" ? "probe  " : `round ${round}`}`,
      variant.padEnd(variantWidth),
      scenario.padEnd(scenarioWidth),
      `${count(load.connections, "connection")}, ${load.warmupS} s warm-up, ${window}`,
    ].join("  ");
  });
}

function describeBlock(
  { round, scenario, variants, connections, warmupS, durationS }: Block,
): string {
  return [
    `      round ${round}`,
    `${variants.join(", ")} in slices`,
    scenario,
    `${count(connections, "connection")} to each, ${warmupS} s warm-up, ${roughly(durationS)} s`,
  ].join("  ");
}

/** Variants with their load generators: `deno, bun with autocannon; again with wrk`. */
function driven(variants: readonly VariantRecord[]): string {
  const groups = Map.groupBy(variants, ({ generator }) => generator);
  return [...groups].map(([generator, own]) =>
    `${own.map(({ id }) => id).join(", ")} with ${generator}`
  ).join("; ");
}
