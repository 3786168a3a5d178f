/** A run of `stampede versus`. */
import type { Changes } from "../../model/derived.ts";
import type { TrialResult } from "../../model/raw.ts";
import type { Report } from "../../model/report.ts";
import { REPORT, SERVER, VARIANT } from "../report_testdata.ts";
import { BOTTLENECK, RESULT } from "./result.ts";
import { MEASUREMENT, TRIAL_RESULT, WINDOW } from "./trial_result.ts";

/** Changes of a server that is 5 % slower; the noise floor is larger than that. */
export const CHANGES: Changes = {
  changes: [{
    variant: "head",
    scenario: "text",
    connections: 10,
    perS: null,
    verdict: "same",
    reasons: [],
    isBroken: false,
    metric: "requestsPerS",
    method: "windows",
    isConfirmed: null,
    base: 1000,
    head: 950,
    baseRounds: 8,
    headRounds: 8,
    ratio: 0.95,
    confidenceInterval: { low: 0.94, high: 0.96, coverage: 0.96 },
    familyConfidenceInterval: { low: 0.94, high: 0.96, coverage: 0.96 },
    pValue: 0.0078,
    minimumDetectableChange: 0.07,
    floor: 0.06,
  }],
  neededRounds: null,
  costs: [],
  machineRatio: null,
  counts: null,
  functions: [],
  noiseSource: "results/noise.json",
};

const trialResultOf = (variant: string, round: number, perS: number): TrialResult => ({
  ...TRIAL_RESULT,
  trial: { ...TRIAL_RESULT.trial, round, variant },
  window: {
    ...WINDOW,
    measurement: { ...MEASUREMENT, statuses: { "200": perS * (1 + round / 1000) } },
  },
});
/** In each round head is 5 % slower than base. */
const TRIAL_RESULTS: readonly TrialResult[] = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((round) => [
  trialResultOf("base", round, 1000),
  trialResultOf("head", round, 950),
]);

/** A report of `stampede versus`. */
export const VERSUS: Report = {
  ...REPORT,
  command: ["deno", "task", "bench", "versus", "--base", "main"],
  experiment: {
    ...REPORT.experiment,
    kind: "versus",
    variants: [{ ...VARIANT, id: "base", label: "Deno at main" }, {
      ...VARIANT,
      id: "head",
      label: "current Deno",
    }],
    scenarios: ["text"],
  },
  servers: [{ ...SERVER, id: "base", name: "Deno at main" }, {
    ...SERVER,
    id: "head",
    name: "current Deno",
  }],
  results: ["base", "head"].map((variant) => ({
    ...RESULT,
    variant,
    isLowerBound: false,
    bottleneck: { ...BOTTLENECK, kind: "server" },
  })),
  trialResults: TRIAL_RESULTS,
  changes: CHANGES,
};
