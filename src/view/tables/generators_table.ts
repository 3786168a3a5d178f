import { typical } from "../../analysis/rounds.ts";
import { generatorCpuUs } from "../../model/figures.ts";
import { isSameResult, resultKeyOf } from "../../analysis/keys.ts";
import type { Result } from "../../model/derived.ts";
import type { WindowRecord } from "../../model/raw.ts";
import type { Report } from "../../model/report.ts";
import { oneLine, UNKNOWN } from "../../model/text.ts";
import { halfWidth, microseconds, milliseconds, rate } from "../format.ts";
import { describeStatus } from "../reasons.ts";
import { column, type Table } from "../table.ts";

/** Returns the table of load generators, for a report in which each one is a variant. */
export function generatorsTable(report: Report): Table {
  const scenarios = new Set(report.results.map(({ scenario }) => scenario));
  const windowsOf = (result: Result): WindowRecord[] =>
    report.trialResults.flatMap(({ trial, window }) =>
      trial.purpose === "measure" && window && isSameResult(resultKeyOf(trial), result)
        ? [window]
        : []
    );
  const numbers = ["Req/Sec", "±", "CPU/req generator", "CPU/req server", "±", "p50", "p99"];
  return {
    columns: [
      column("Generator", false),
      ...(scenarios.size > 1 ? [column("Scenario", false)] : []),
      ...numbers.map((heading, i) => column(heading, true, i > 3 ? 1 : 0)),
      column("Bottleneck", false),
    ],
    rows: report.results.map((result) => {
      const names = [result.variant, ...(scenarios.size > 1 ? [result.scenario] : [])];
      if (result.status !== "ok") {
        return { cells: names, rest: oneLine(describeStatus(result)) };
      }
      const { requestsPerS, isLowerBound, serverCpuUs, p50Us, p99Us, bottleneck } = result;
      return {
        cells: [
          ...names,
          `${isLowerBound ? "≥ " : ""}${requestsPerS ? rate(requestsPerS.median) : UNKNOWN}`,
          halfWidth(requestsPerS),
          microseconds(typical(windowsOf(result), generatorCpuUs)),
          microseconds(serverCpuUs?.median ?? null),
          halfWidth(serverCpuUs),
          milliseconds(p50Us),
          milliseconds(p99Us),
          bottleneck?.kind ?? UNKNOWN,
        ],
      };
    }),
  };
}
