/** What `bench noise` prints. */
import type { Report } from "../model/report.ts";
import { describeStatus } from "./reasons.ts";
import { environment } from "./environment_text.ts";
import { noiseTable } from "./tables/noise_table.ts";
import { draw, type Screen } from "./draw.ts";
import { wrap } from "./wrap.ts";

const LEGEND =
  "Ratio of a server to itself, paired over the rounds, with its 95 % confidence interval; the floor is how far " +
  "the interval reaches from 1: a difference below it means nothing on this machine with these " +
  "settings. By slices: of bench versus, and between the servers of one run; by windows: between two " +
  "files.";

/** How much a server differs from itself, for a terminal. */
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
