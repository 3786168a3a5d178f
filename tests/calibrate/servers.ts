import type { Comparison } from "../../src/model/derived.ts";
import type { Report } from "../../src/model/report.ts";
import { median } from "../../src/stats/median.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { say } from "./say.ts";

const SERVERS = "bun,deno,deno-bare,deno-bare-json,express,fastify,go-http,hono-deno,node-http";

/**
 * Ranks several servers repeatedly. Prints the widths of ratio intervals, and whether orders contradict each
 * other.
 */
export async function servers(runs: number): Promise<void> {
  /** The better server of each pair, by scenario and pair. */
  const proven = new Map<string, Set<string>>();
  for (let i = 1; i <= runs; i++) {
    await using sandbox = await Sandbox.create();
    const { code, stderr } = await sandbox.run(
      ["text", "json", "schema", "--servers", SERVERS],
      LONG_TIMEOUTS,
    );
    const [report] = await sandbox.reports() as unknown as Report[];
    if (code !== 0 || report === undefined) throw new Error(stderr);
    for (const { a, b, scenario, better } of report.comparisons) {
      if (better === null) continue;
      const key = `${scenario} of ${a} and ${b}`;
      proven.set(key, (proven.get(key) ?? new Set()).add(better));
    }
    const ranks = Map.groupBy(report.results, ({ scenario }) => scenario);
    say(`${i}: ${Math.round(report.tookS)} s; half intervals ${widths(report)}`);
    for (const [scenario, results] of ranks) {
      say(`   ${scenario}: ${results.map(({ variant, rank }) => `${variant} ${rank}`).join(", ")}`);
    }
  }
  const contradicted = [...proven].filter(([, better]) => better.size > 1).map(([key]) => key);
  say(
    `servers: of ${proven.size} pairs that had a proven order in at least one of ${runs} runs, ${contradicted.length} had contradicting proven orders${
      contradicted.length > 0 ? `: ${contradicted.join("; ")}` : ""
    }`,
  );
}

/** Returns the median of the half intervals of the ratios, and how many are at most 3 %. */
function widths({ comparisons }: Report): string {
  const half = ({ ratio, confidenceInterval }: Comparison): number =>
    confidenceInterval === null
      ? Infinity
      : (confidenceInterval.high - confidenceInterval.low) / 2 / ratio;
  const all = comparisons.map(half);
  const few = all.filter((width) => width <= 0.03).length;
  return `${(100 * median(all)).toFixed(1)} % in the median, ${few} of ${all.length} at most 3 %`;
}
