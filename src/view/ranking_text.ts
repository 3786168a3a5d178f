/** Describes the proven order of servers, in a sentence for each workload. */
import type { Follower, Ranking, Rival } from "../analysis/rankings.ts";
import { count, fixed } from "../model/text.ts";

/** Maximum number of servers that a sentence names; it counts the rest. */
const NAMED = 4;

/**
 * Returns a ranking as a sentence without its full stop: `bun and deno tie, both at least 1.8 x as
 * fast as node-http`.
 *
 * The ratio after "at least" is the lower end of its 95 % confidence interval. For other ratios the
 * sentence contains the interval.
 */
export function describeRanking(ranking: Ranking): string {
  const { leaders, others, rival } = ranking;
  const isBehindAll = ({ behind }: Follower): boolean => behind.length === leaders.length;
  const behindAll = others.filter(isBehindAll);
  const parts = [
    behindAll.length > 0 || leaders.length > 1 ? leading(ranking, behindAll) : "",
    ...others.filter((other) => !isBehindAll(other)).map((other) => partly(ranking, other)),
    rival === null ? "" : describeRival(rival),
  ].filter((part) => part !== "");
  return workerGroup(ranking) + (parts.length === 0 ? "nothing is proven" : parts.join("; "));
}

/**
 * Returns the beginning of a sentence: the number of workers of its servers. Empty if no other server
 * has another number.
 */
function workerGroup({ hasOtherWorkerGroups, workers }: Ranking): string {
  if (!hasOtherWorkerGroups) return "";
  return workers === null ? "with any number of workers, " : `with ${count(workers, "worker")}, `;
}

/** Describes the leaders, and the servers that are proven worse than all of them. */
function leading({ leaders, metric, isTie }: Ranking, others: readonly Follower[]): string {
  const isOne = leaders.length === 1;
  const together = isTie
    ? `${enumerated(leaders)} tie`
    : `${enumerated(leaders)} do not differ significantly`;
  if (others.length === 0) return together;
  const isRate = metric === "requestsPerS";
  const list = others.slice(0, NAMED).map(({ variant, ...factor }, i) => {
    const isFirst = i === 0;
    // Compared with several leaders at once, only the bound is proven
    const proven = isOne ? times(factor) : atLeast(factor, isFirst);
    return isRate
      ? `${proven} ${isFirst ? "as fast as " : ""}${variant}`
      : `${variant} ${isFirst ? "needs " : ""}${proven}${
        isFirst ? isOne ? " as much" : " their CPU" : ""
      }`;
  });
  const rest = others.length - NAMED;
  const lead = isRate
    ? isOne
      ? `${leaders[0]} is fastest: `
      : `${together}, ${leaders.length === 2 ? "both" : "all"} `
    : isOne
    ? `${leaders[0]} needs least CPU: `
    : `${together}; `;
  return lead + list.join(", ") + (rest > 0 ? `, and ${rest} more` : "");
}

/** Describes a server that is proven worse than only some of the leaders. */
function partly({ metric }: Ranking, { variant, behind, ...factor }: Follower): string {
  const who = enumerated(behind);
  const proven = behind.length === 1 ? times(factor) : atLeast(factor, true);
  return metric === "requestsPerS"
    ? `${who} ${behind.length === 1 ? "is" : "are"} ${proven} as fast as ${variant}`
    : `${variant} needs ${proven} the CPU of ${who}`;
}

/** Describes the server that is best by rate if the ranking is by CPU time, or the reverse. */
function describeRival({ variant, metric, leader, ...factor }: Rival): string {
  return metric === "requestsPerS"
    ? `${variant} has the highest rate, ${times(factor)} that of ${leader}`
    : `${variant} needs least CPU, ${leader} ${times(factor)} as much`;
}

/**
 * Smallest ratio that is printed with one decimal, as 1.1. For a smaller ratio, one decimal would hide
 * most of the difference from 1.
 */
const ONE_DECIMAL = 1.095;

/**
 * Returns the proven lower bound of a ratio, rounded down: `at least 1.8 x`. Without an interval
 * nothing is proven, and the text is `about 1.9 x`.
 *
 * @param isFirst whether the ratio is the first of a list: only the first one gets the words
 */
function atLeast(
  { factor, confidenceInterval }: Pick<Follower, "factor" | "confidenceInterval">,
  isFirst: boolean,
): string {
  const bound = confidenceInterval?.low ?? factor;
  const decimals = bound < ONE_DECIMAL ? 2 : 1;
  if (confidenceInterval === null) return `${isFirst ? "about " : ""}${fixed(bound, decimals)} x`;
  // Rounded up, it would claim more than is proven; the small term absorbs errors of floating point
  const rounded = Math.floor(bound * 10 ** decimals + 1e-9) / 10 ** decimals;
  return `${isFirst ? "at least " : ""}${fixed(rounded, decimals)} x`;
}

/**
 * Returns a ratio with its interval: `1.08 x (1.03 to 1.13)`. It has two decimals if one would hide
 * the difference.
 */
function times(
  { factor, confidenceInterval }: Pick<Follower, "factor" | "confidenceInterval">,
): string {
  const ends = confidenceInterval === null ? [] : [confidenceInterval.low, confidenceInterval.high];
  const one = ends.map((end) => fixed(end, 1));
  const decimals = factor < ONE_DECIMAL || one[0] === one[1] && one.length > 0 ? 2 : 1;
  const [low, high] = ends.map((end) => fixed(end, decimals));
  return `${fixed(factor, decimals)} x${low === undefined ? "" : ` (${low} to ${high})`}`;
}

/** Joins names: `a`, `a and b`, `a, b and c`. */
export function enumerated(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
