/** Makes the output of `bench noise`. */
import type { Report } from "../model/report.ts";
import { describeStatus } from "./reasons.ts";
import { environment } from "./environment_text.ts";
import { noiseTable } from "./tables/noise_table.ts";
import { draw, type Screen } from "./draw.ts";
import { wrap } from "./wrap.ts";

const LEGEND =
  "Ratio of a server to itself, paired over the rounds, with its 95 % confidence interval. The floor is the " +
  "largest distance of the interval from 1: with these settings, a smaller difference on this machine means " +
  "nothing. Slices: the floor for the versus command, and for servers in one run. Windows: the floor for two " +
  "reports.";

/** Returns the noise of a server for a terminal. */
export function noiseText(report: Report, screen: Screen): string {
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
