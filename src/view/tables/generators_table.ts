import { isSameResult, resultKeyOf } from "../../analysis/keys.ts";
import { typical } from "../../analysis/rounds.ts";
import type { Result } from "../../model/derived.ts";
import { generatorCpuUs } from "../../model/figures.ts";
import type { WindowRecord } from "../../model/raw.ts";
import type { Report } from "../../model/report.ts";
import { oneLine, UNKNOWN } from "../../model/text.ts";
import { halfWidth, microseconds, milliseconds, rate } from "../format.ts";
import { describeStatus } from "../reasons.ts";
import { makeTable, numbers, type Table, words } from "../table.ts";

/** Returns the table of load generators, for a report in which each one is a variant. */
export function generatorsTable({ results, trialResults }: Report): Table {
  const several = new Set(results.map(({ scenario }) => scenario)).size > 1;
  const windowsOf = (result: Result): WindowRecord[] =>
    trialResults.flatMap(({ trial, window }) =>
      trial.purpose === "measure" && window && isSameResult(resultKeyOf(trial), result)
        ? [window]
        : []
    );
  return makeTable(results, [
    words("Generator", ({ variant }) => variant),
    several && words("Scenario", ({ scenario }) => scenario),
    numbers(
      "Req/Sec",
      ({ requestsPerS, isLowerBound }) =>
        `${isLowerBound ? "≥ " : ""}${rate(requestsPerS?.median ?? null)}`,
    ),
    numbers("±", ({ requestsPerS }) => halfWidth(requestsPerS)),
    numbers(
      "CPU/req generator",
      (result) => microseconds(typical(windowsOf(result), generatorCpuUs)),
    ),
    numbers("CPU/req server", ({ serverCpuUs }) => microseconds(serverCpuUs?.median ?? null)),
    numbers("±", ({ serverCpuUs }) => halfWidth(serverCpuUs), 1),
    numbers("p50", ({ p50Us }) => milliseconds(p50Us), 1),
    numbers("p99", ({ p99Us }) => milliseconds(p99Us), 1),
    words("Bottleneck", ({ bottleneck }) => bottleneck?.kind ?? UNKNOWN),
  ], (result) =>
    result.status === "ok" ? {} : {
      cells: [result.variant, ...(several ? [result.scenario] : [])],
      rest: oneLine(describeStatus(result)),
    });
}
