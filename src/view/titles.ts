/** Titles and summaries of reports. */
import { rankingsOf } from "../analysis/rankings.ts";
import type { AnyReport, Report } from "../model/report.ts";
import { distinct, markedRate, plusMinus, workloadNamer } from "./format.ts";
import { describeRanking } from "./ranking_text.ts";
import { changesTitle, changesVerdict } from "./tables/changes_table.ts";

/** Returns the title of a report. */
export function titleOf(report: AnyReport): string {
  if (report.kind === "distributed") return `${report.server} at ${scenariosIn(report.scenarios)}`;
  const { results, blocks, changes, experiment: { kind, variants } } = report;
  if (kind === "versus" && changes !== null) {
    const [base, head] = variants.map(({ label }) => label);
    return changesTitle(changes, { base: base ?? "base", head: head ?? "head" });
  }
  const servers = variants.map(({ id }) => id).filter((id) =>
    results.some(({ variant }) => variant === id) ||
    blocks.some(({ block }) => block.variants.includes(id))
  );
  return `${servers.length === 1 ? servers[0] : `${servers.length} HTTP servers`} at ${
    scenariosIn([...results, ...blocks.map(({ block }) => block)])
  }`;
}

function scenariosIn(measured: readonly { readonly scenario: string }[]): string {
  const scenarios = distinct(measured.map(({ scenario }) => scenario));
  return scenarios.length === 1 ? `${scenarios[0]}` : `${scenarios.length} scenarios`;
}

/** Returns a summary of a report for link previews. */
export function descriptionOf(report: Report): string {
  const { changes, results } = report;
  if (changes !== null) return changesVerdict(changes);
  const named = workloadNamer(results);
  const rankings = rankingsOf(report);
  if (rankings.length > 0) {
    return rankings.map((one) => `${named(one)}: ${describeRanking(one)}.`).join(" ");
  }
  const isAlone = report.experiment.variants.length === 1;
  const reached = results.flatMap((result) => {
    const { requestsPerS, variant } = result;
    if (requestsPerS === null) return [];
    const who = isAlone ? named(result) : `${named(result)} of ${variant}`;
    return [`${who}: ${markedRate(requestsPerS.median, result)}/s${plusMinus(requestsPerS)}`];
  });
  return reached.length === 0 ? "Nothing was measured." : `${reached.join("; ")}.`;
}
