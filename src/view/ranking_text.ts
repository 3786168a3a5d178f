/** Who is proven better than whom, in a sentence for each workload. */
import type { Follower, Ranking, Rival } from "../analysis/rankings.ts";
import { count, fixed } from "./format.ts";

/** Servers that a sentence names before it counts the rest. */
const NAMED = 4;

/**
 * Words a ranking as a sentence without its end: `bun and deno tie, both at least 1.9 x (1.8 to 2.0) as
 * fast as node-http`. Each ratio has its 95 % confidence interval.
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

/** Of which servers a sentence is, where there are others. */
function workerGroup({ hasOtherWorkerGroups, workers }: Ranking): string {
  if (!hasOtherWorkerGroups) return "";
  return workers === null ? "with any number of workers, " : `with ${count(workers, "worker")}, `;
}

/** The leaders, and what is proven worse than all of them. */
function leading({ leaders, metric, isTie }: Ranking, others: readonly Follower[]): string {
  const isOne = leaders.length === 1;
  const together = isTie
    ? `${enumerated(leaders)} tie`
    : `${enumerated(leaders)} are not told apart`;
  if (others.length === 0) return together;
  const isRate = metric === "requestsPerS";
  const least = isOne ? "" : "at least ";
  const list = others.slice(0, NAMED).map(({ variant, ...factor }, i) => {
    const isFirst = i === 0;
    return isRate
      ? `${isFirst ? least : ""}${times(factor)} ${isFirst ? "as fast as " : ""}${variant}`
      : `${variant} ${isFirst ? `needs ${least}` : ""}${times(factor)}${
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

/** A server that is proven worse than some of the leaders alone. */
function partly({ metric }: Ranking, { variant, behind, ...factor }: Follower): string {
  const who = enumerated(behind);
  return metric === "requestsPerS"
    ? `${who} ${behind.length === 1 ? "is" : "are"} ${times(factor)} as fast as ${variant}`
    : `${variant} needs ${times(factor)} the CPU of ${who}`;
}

/** Who is best by the figure that does not rank. */
function describeRival({ variant, metric, leader, ...factor }: Rival): string {
  return metric === "requestsPerS"
    ? `${variant} has the highest rate, ${times(factor)} that of ${leader}`
    : `${variant} needs least CPU, ${leader} ${times(factor)} as much`;
}

/** A ratio with its interval: `1.08 x (1.03 to 1.13)`; two decimals if one would hide the difference. */
function times(
  { factor, confidenceInterval }: Pick<Follower, "factor" | "confidenceInterval">,
): string {
  const ends = confidenceInterval === null ? [] : [confidenceInterval.low, confidenceInterval.high];
  const one = ends.map((end) => fixed(end, 1));
  const decimals = factor < 1.095 || one[0] === one[1] && one.length > 0 ? 2 : 1;
  const [low, high] = ends.map((end) => fixed(end, decimals));
  return `${fixed(factor, decimals)} x${low === undefined ? "" : ` (${low} to ${high})`}`;
}

/** `a`, `a and b`, `a, b and c`. */
function enumerated(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
