/** Estimates the duration of a plan, and parses SLOs. */
import { byResult, resultKeyOf } from "../analysis/keys.ts";
import type { Block } from "../model/block.ts";
import { UsageError } from "../model/errors.ts";
import type { Plan } from "../model/events.ts";
import type { Design, Load, Slo, Trial } from "../model/experiment.ts";
import { oneLine } from "../model/text.ts";
import { sum } from "../stats/median.ts";
import { confirmationRounds, scaleTestOf } from "./planner.ts";

/** Estimated time for starting and stopping a server, in seconds. */
const ROUND_OVERHEAD_S = 1;
/** Estimated time for verifying a server before each trial, in seconds. */
const TRIAL_OVERHEAD_S = 0.2;

/** Returns the maximum time of added rounds, in seconds. */
export function budgetS(design: Design, first: Plan): number {
  return design.budgetS ?? design.budgetShare * estimateS(first);
}

/**
 * Returns the maximum number of seconds that may be added after the first rounds: by more rounds, scale
 * tests (of shards only if the generator can use more), and confirmations for the gate.
 */
export function mostAddedS(design: Design, first: Plan, canScale: boolean): number {
  const scaleS = byResult(first.trials, resultKeyOf)
    .map(([trial]) => windowsS(scaleTestOf(trial, "shards")));
  const shardsS = canScale ? sum(scaleS) : 0;
  // More connections are tested for one result, and for others within the budget
  const connectionsS = Math.max(0, ...scaleS);
  const again = design.failOn === null ? 0 : confirmationRounds(design) / design.rounds;
  return budgetS(design, first) + shardsS + connectionsS + again * slicesS(first.blocks);
}

/** Returns the estimated duration of a plan, in seconds. */
export function estimateS({ trials, blocks }: Plan): number {
  return windowsS(trials) + slicesS(blocks);
}

/** Returns the estimated duration of profiles, in seconds. Each profile needs a separate server process. */
export function profilesS(profiles: readonly { readonly load: Load }[]): number {
  return profiles.reduce(
    (total, { load: { warmupS, durationS } }) => total + ROUND_OVERHEAD_S + warmupS + durationS,
    0,
  );
}

function windowsS(trials: readonly Trial[]): number {
  let total = 0;
  let server = "";
  for (const { round, variant, load } of trials) {
    if (server !== `${round} ${variant}`) total += ROUND_OVERHEAD_S;
    server = `${round} ${variant}`;
    // A window of whole cycles starts after a wave of waiting responses.
    const wave = load.responses === null ? 0 : 2;
    total += Math.max(load.warmupS, wave) + load.durationS + TRIAL_OVERHEAD_S;
  }
  return total;
}

function slicesS(blocks: readonly Block[]): number {
  const rounds = new Set(blocks.map(({ round }) => round)).size;
  return blocks.reduce(
    (total, { variants, warmupS, durationS }) =>
      total + variants.length * (warmupS + durationS) + TRIAL_OVERHEAD_S,
    rounds * ROUND_OVERHEAD_S,
  );
}

/** Default SLO of `capacity` and `export`, in the form of --slo. */
export const DEFAULT_SLO = "p99<50ms,errors<0.1%";

const LATENCY = /^p(\d{1,2}(?:\.\d+)?) *< *(\d+(?:\.\d+)?|\.\d+) *(us|µs|ms|s)$/;
const ERRORS = /^errors *< *(\d+(?:\.\d+)?|\.\d+) *%$/;
const UNITS: Readonly<Record<string, number>> = { us: 1, "µs": 1, ms: 1000, s: 1e6 };
/** Maximum number of characters that an error message quotes from an invalid part. */
const LONGEST_PART = 40;
/** Maximum latency limit in an SLO, in microseconds. It equals the timeout of a response. */
const LONGEST_US = 10e6;

/**
 * Parses an SLO, such as `p99<10ms,errors<0.1%`.
 *
 * @throws {UsageError} with the invalid part.
 */
export function parseSlo(text: string): Slo {
  const latencies: Slo["latencies"][number][] = [];
  let errorShare: number | null = null;
  for (const part of text.split(",").map((part) => part.trim())) {
    const [, percentile, value, unit = ""] = LATENCY.exec(part) ?? [];
    const us = Number(value) * (UNITS[unit] ?? NaN);
    const [, percent] = ERRORS.exec(part) ?? [];
    if (us > 0 && us <= LONGEST_US && Number(percentile) > 0) {
      latencies.push({ percentile: Number(`${percentile}e-2`), us });
    } else if (Number(percent) > 0 && Number(percent) <= 100) {
      errorShare = Number(percent) / 100;
    } else {
      const shown = oneLine(part).slice(0, LONGEST_PART);
      throw new UsageError(
        `Cannot read "${shown}" of the SLO: write it as p99<10ms (up to 10s) or errors<0.1%, separated by commas`,
      );
    }
  }
  return { latencies, errorShare };
}
