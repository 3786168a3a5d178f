import type { RunConfig } from "../model/report.ts";
import type { Trial } from "../model/experiment.ts";
import { count, duration, share } from "./format.ts";

/** The plan of a run, a line for each window. */
export function describePlan(
  config: RunConfig,
  trials: readonly Trial[],
  estimateS: number,
): string {
  const lines = trials.map(({ index, round, target, scenario, load }) => {
    const window = load.answers === null
      ? `${load.durationS} s`
      : `${load.answers} answers (about ${load.durationS} s)`;
    return `${String(index + 1).padStart(4)}  round ${round}  ${target}  ${scenario.padEnd(8)}` +
      `${count(load.connections, "connection")}, ${load.warmupS} s warm-up, ${window}`;
  });
  return [
    ...lines,
    `${count(trials.length, "window")} with ${config.generator}, seed ${config.seed}, about ${
      duration(estimateS)
    }`,
    ...(config.maxRounds > config.rounds
      ? [
        `then up to round ${config.maxRounds}, ${
          duration(config.budgetS)
        } at most, where intervals are wider than ${share(config.width)}`,
      ]
      : []),
  ].join("\n");
}
