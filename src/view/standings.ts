/** Who is proven better than whom, in a sentence for each task. */
import type { Follower, Standing } from "../analysis/standings.ts";

/** Servers that a sentence names before it counts the rest. */
const NAMED = 4;

/** A standing as a sentence without its end: `bun and deno tie, both 1.9 x as fast as node-http`. */
export function describeStanding({ leaders, others, metric }: Standing): string {
  const isTie = leaders.length > 1;
  const tie = `${enumerated(leaders)} tie`;
  if (others.length === 0) return isTie ? tie : "nothing is proven";
  const isRate = metric === "requestsPerS";
  const item = (follower: Follower, i: number): string => {
    const { arm, factor } = follower;
    const isFirst = i === 0;
    const text = isRate
      ? `${times(factor)} x ${isFirst ? "as fast as " : ""}${arm}`
      : `${arm} ${isFirst ? "needs " : ""}${times(factor)} x${
        isFirst ? isTie ? " their CPU" : " as much" : ""
      }`;
    return text + proof(follower, leaders);
  };
  const lead = isRate
    ? isTie ? `${tie}, ${leaders.length === 2 ? "both" : "all"} ` : `${leaders[0]} is fastest: `
    : isTie
    ? `${tie}; `
    : `${leaders[0]} needs least CPU: `;
  const rest = others.length - NAMED;
  return lead + others.slice(0, NAMED).map(item).join(", ") +
    (rest > 0 ? `, and ${rest} more` : "");
}

/** Of which leaders it is proven, where it is not of all. */
function proof({ behind }: Follower, leaders: readonly string[]): string {
  if (behind.length === leaders.length) return "";
  return behind.length === 0 ? " (not proven)" : ` (proven of ${enumerated(behind)})`;
}

function times(factor: number): string {
  return factor < 1.095 ? factor.toFixed(2) : factor.toFixed(1);
}

/** `a`, `a and b`, `a, b and c`. */
function enumerated(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
