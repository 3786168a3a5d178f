/** Titles, summaries and proven orders of servers, in words. */
import { type Follower, type Ranking, rankingsOf } from "../analysis/rankings.ts";
import type { AnyReport, Report } from "../model/report.ts";
import { count, fixed, nonEmpty } from "../model/text.ts";
import { distinct, markedRate, plusMinus, workloadNamer } from "./format.ts";
import { changesTitle, changesVerdict } from "./tables/changes_verdict.ts";

/** Returns the title of a report. */
export function titleOf(report: AnyReport): string {
  if (report.kind === "distributed") return `${report.server} at ${scenariosIn(report.scenarios)}`;
  const { results, blocks, costs, changes, experiment: { kind, variants } } = report;
  if (kind === "versus" && changes !== null) {
    const [base, head] = variants.map(({ label }) => label);
    return changesTitle(changes, { base: base ?? "base", head: head ?? "head" });
  }
  if (kind === "releases") {
    const scenarios = scenariosIn(results);
    return `${variants[0]?.label} to ${variants.at(-1)?.label} at ${scenarios}`;
  }
  const servers = variants.map(({ id }) => id).filter((id) =>
    results.some(({ variant }) => variant === id) ||
    blocks.some(({ block }) => block.variants.includes(id)) ||
    costs.some(({ variant }) => variant === id)
  );
  const measured = [...results, ...blocks.map(({ block }) => block)];
  const who = servers.length === 1 ? servers[0] : `${servers.length} HTTP servers`;
  if (measured.length === 0 && costs.length > 0) return `Costs of ${who}`;
  return `${who} at ${scenariosIn(measured)}`;
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
  const orders = rankingsOf(report).map((one) => `${named(one)}: ${describeRanking(one)}.`);
  if (orders.length > 0) return orders.join(" ");
  const isAlone = report.experiment.variants.length === 1;
  const reached = results.flatMap((result) => {
    const { requestsPerS, variant } = result;
    if (requestsPerS === null) return [];
    const who = isAlone ? named(result) : `${named(result)} of ${variant}`;
    return [`${who}: ${markedRate(requestsPerS.median, result)}/s${plusMinus(requestsPerS)}`];
  });
  if (reached.length > 0) return `${reached.join("; ")}.`;
  return report.costs.length > 0 ? `${titleOf(report)}.` : "Nothing was measured.";
}

const NAMED = 4;
/** Ratio below which one decimal would hide most of the difference from 1. */
const ONE_DECIMAL = 1.095;
/** Decimals of a bound that fewer would round to 1. */
const MOST_DECIMALS = 4;

type Factor = Pick<Follower, "factor" | "confidenceInterval">;

/**
 * Returns a ranking as a sentence without its full stop: `bun and deno tie, both at least 1.8 x as
 * fast as node-http`. The ratio after "at least" is the lower end of its 95 % confidence interval.
 */
export function describeRanking(ranking: Ranking): string {
  const { leaders, others, rival, hasOtherWorkerGroups, workers } = ranking;
  const isBehindAll = ({ behind }: Follower): boolean => behind.length === leaders.length;
  const behindAll = others.filter(isBehindAll);
  const parts = nonEmpty(
    (behindAll.length > 0 || leaders.length > 1) && leading(ranking, behindAll),
    ...others.filter((other) => !isBehindAll(other)).map((other) => partly(ranking, other)),
    rival && describeRival(rival),
  );
  const group = workers === null ? "any number of workers" : count(workers, "worker");
  const text = parts.length === 0 ? "nothing is proven" : parts.join("; ");
  return hasOtherWorkerGroups ? `with ${group}, ${text}` : text;
}

function leading({ leaders, metric, isTie }: Ranking, others: readonly Follower[]): string {
  const isOne = leaders.length === 1;
  const together = `${enumerated(leaders)} ${isTie ? "tie" : "do not differ significantly"}`;
  if (others.length === 0) return together;
  const isRate = metric === "requestsPerS";
  const list = others.slice(0, NAMED).map(({ variant, ...factor }, i) => {
    const isFirst = i === 0;
    // Compared with several leaders at once, only the bound is proven
    const proven = isOne ? times(factor) : atLeast(factor, isFirst);
    if (isRate) return `${proven} ${isFirst ? "as fast as " : ""}${variant}`;
    if (!isFirst) return `${variant} ${proven}`;
    return `${variant} needs ${proven} ${isOne ? "as much" : "their CPU"}`;
  });
  const rest = others.length - NAMED;
  const best = `${leaders[0]} ${isRate ? "is fastest" : "needs least CPU"}: `;
  const shared = together + (isRate ? `, ${leaders.length === 2 ? "both" : "all"} ` : "; ");
  return (isOne ? best : shared) + list.join(", ") + (rest > 0 ? `, and ${rest} more` : "");
}

function partly({ metric }: Ranking, { variant, behind, ...factor }: Follower): string {
  const who = enumerated(behind);
  const isOne = behind.length === 1;
  const proven = isOne ? times(factor) : atLeast(factor, true);
  return metric === "requestsPerS"
    ? `${who} ${isOne ? "is" : "are"} ${proven} as fast as ${variant}`
    : `${variant} needs ${proven} the CPU of ${who}`;
}

/** Describes the server that is best by rate if the ranking is by CPU time, or the reverse. */
function describeRival(
  { variant, metric, leader, ...factor }: NonNullable<Ranking["rival"]>,
): string {
  return metric === "requestsPerS"
    ? `${variant} has the highest rate, ${times(factor)} that of ${leader}`
    : `${variant} needs least CPU, ${leader} ${times(factor)} as much`;
}

/** Returns the proven bound, rounded down: `at least 1.8 x`, without an interval `about 1.9 x`. */
function atLeast({ factor, confidenceInterval }: Factor, isFirst: boolean): string {
  const bound = confidenceInterval?.low ?? factor;
  const decimals = bound < ONE_DECIMAL ? 2 : 1;
  if (confidenceInterval === null) return `${isFirst ? "about " : ""}${fixed(bound, decimals)} x`;
  // A bound such as 1.004 is not 1
  const enough = [decimals, 2, 3].find((some) => roundedDown(bound, some) > 1) ?? MOST_DECIMALS;
  return `${isFirst ? "at least " : ""}${fixed(roundedDown(bound, enough), enough)} x`;
}

/** Rounds down: rounded up, a bound would claim more than is proven. */
function roundedDown(bound: number, decimals: number): number {
  const tiny = 1e-9; // absorbs errors of floating point
  return Math.floor(bound * 10 ** decimals + tiny) / 10 ** decimals;
}

function times({ factor, confidenceInterval }: Factor): string {
  const ends = confidenceInterval === null ? [] : [confidenceInterval.low, confidenceInterval.high];
  const [one, other] = ends.map((end) => fixed(end, 1));
  // Two decimals if one would hide the difference
  const isNearOne = Math.min(factor, ...ends) < ONE_DECIMAL;
  const decimals = isNearOne || one !== undefined && one === other ? 2 : 1;
  const [low, high] = ends.map((end) => fixed(end, decimals));
  return `${fixed(factor, decimals)} x${low === undefined ? "" : ` (${low} to ${high})`}`;
}

/** Joins names: `a`, `a and b`, `a, b and c`. */
export function enumerated(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
