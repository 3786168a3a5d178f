/** Who is proven better than whom, in a sentence for each task. */
import type { Follower, Standing } from "../analysis/standings.ts";
import { count, fixed } from "./format.ts";

/** Servers that a sentence names before it counts the rest. */
const NAMED = 4;

/** A standing as a sentence without its end: `bun and deno tie, both 1.9 x as fast as node-http`. */
export function describeStanding(standing: Standing): string {
  const { leaders, others } = standing;
  const isBehindAll = ({ behind }: Follower): boolean => behind.length === leaders.length;
  const behindAll = others.filter(isBehindAll);
  const parts = [
    behindAll.length > 0 || leaders.length > 1 ? leading(standing, behindAll) : "",
    ...others.filter((other) => !isBehindAll(other)).map((other) => partly(standing, other)),
  ].filter((part) => part !== "");
  return league(standing) + (parts.length === 0 ? "nothing is proven" : parts.join("; "));
}

/** Of which servers a sentence is, where there are others. */
function league({ isLeague, workers }: Standing): string {
  if (!isLeague) return "";
  return workers === null ? "with any number of workers, " : `with ${count(workers, "worker")}, `;
}

/** The leaders, and what is proven worse than all of them. */
function leading({ leaders, metric, isTie }: Standing, others: readonly Follower[]): string {
  const isOne = leaders.length === 1;
  const together = isTie
    ? `${enumerated(leaders)} tie`
    : `${enumerated(leaders)} are not told apart`;
  if (others.length === 0) return together;
  const isRate = metric === "requestsPerS";
  const least = isOne ? "" : "at least ";
  const list = others.slice(0, NAMED).map(({ arm, factor }, i) => {
    const isFirst = i === 0;
    return isRate
      ? `${isFirst ? least : ""}${times(factor)} x ${isFirst ? "as fast as " : ""}${arm}`
      : `${arm} ${isFirst ? `needs ${least}` : ""}${times(factor)} x${
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
function partly({ metric }: Standing, { arm, behind, factor }: Follower): string {
  const who = enumerated(behind);
  return metric === "requestsPerS"
    ? `${who} ${behind.length === 1 ? "is" : "are"} ${times(factor)} x as fast as ${arm}`
    : `${arm} needs ${times(factor)} x the CPU of ${who}`;
}

function times(factor: number): string {
  return factor < 1.095 ? fixed(factor, 2) : fixed(factor, 1);
}

/** `a`, `a and b`, `a, b and c`. */
function enumerated(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
