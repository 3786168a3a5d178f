import type { ExportedLoad } from "./exported.ts";

/** Time limit of one response, in seconds. */
export const TIMEOUT_S = 10;
/** Pause between the latest end of a scenario and the start of the next, in seconds. */
const PAUSE_S = 2;

/** Returns k6's options: https://grafana.com/docs/k6/latest/using-k6/k6-options/reference/ */
export function optionsOf({ scenarios, perS, durationS, slo, users }: ExportedLoad): object {
  const eachS = durationS + TIMEOUT_S + PAUSE_S;
  return {
    scenarios: Object.fromEntries(scenarios.map(({ key }, i) => [key, {
      executor: "constant-arrival-rate",
      exec: `load_${key}`,
      ...rateOf(perS),
      duration: milliseconds(durationS),
      startTime: milliseconds(i * eachS),
      gracefulStop: milliseconds(TIMEOUT_S + 1),
      preAllocatedVUs: users,
    }])),
    thresholds: Object.fromEntries(scenarios.flatMap(({ key }) => {
      const limits = slo.latencies.map(({ percentile, us }) =>
        `p(${Number((100 * percentile).toPrecision(6))})<${us / 1000}`
      );
      const least = slo.errorShare === null ? [] : [
        `rate>${Number((1 - slo.errorShare).toPrecision(9))}`,
      ];
      return [
        // Applies to each runner; `bench import k6` checks the limits for all runners together
        [`http_req_duration{scenario:${key}}`, limits],
        [`${key}_right`, least],
        // A condition that is always met makes k6 count this for each scenario
        [`dropped_iterations{scenario:${key}}`, ["count>=0"]],
      ].filter(([, asked]) => asked?.length !== 0);
    })),
    systemTags: ["scenario"],
  };
}

/** Returns the rate as whole numbers, because k6 accepts no fractions. */
function rateOf(perS: number): { rate: number; timeUnit: string } {
  return Number.isInteger(perS)
    ? { rate: perS, timeUnit: "1s" }
    : { rate: Math.round(1000 * perS), timeUnit: "1000s" };
}

function milliseconds(seconds: number): string {
  return `${Math.round(1000 * seconds)}ms`;
}
