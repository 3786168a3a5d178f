import { slicesRatio } from "../../src/analysis/slice_ratios.ts";
import { FIGURES } from "../../src/model/figures.ts";
import type { Report } from "../../src/model/report.ts";
import { pairedRatio, type Ratio } from "../../src/stats/rank_tests.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { say } from "./say.ts";

/** The server that the others are compared with. It does hardly any work besides its responses. */
const BASE = "deno";
const OTHERS = ["bun", "express", "go-http", "java-async", "node-http"];
const SCENARIOS = ["text", "json", "sql1"];
/** Length of a window in seconds. It is long enough to include postponed work. */
const WINDOW_S = 5;

/**
 * Compares CPU time per response by slices and by long windows, for fresh processes in the same rounds. Only
 * windows include a server's work outside of its slices.
 */
export async function windows(runs: number): Promise<void> {
  for (let i = 1; i <= runs; i++) {
    await using sandbox = await Sandbox.create();
    const servers = [BASE, ...OTHERS].join();
    const load = ["--generator", "stampede", "-z", String(WINDOW_S)];
    const { code, stderr } = await sandbox.run(
      [...SCENARIOS, "--servers", servers, ...load],
      LONG_TIMEOUTS,
    );
    const [report] = await sandbox.reports() as unknown as Report[];
    if (code !== 0 || report === undefined) throw new Error(stderr);
    say(`${i}: ${Math.round(report.tookS)} s`);
    for (const scenario of SCENARIOS) {
      for (const variant of OTHERS) {
        say(`   ${scenario}: ${variant} ${ratiosOf(report, scenario, variant)}`);
      }
    }
  }
}

function ratiosOf({ blocks, trialResults }: Report, scenario: string, variant: string): string {
  const rounds = new Map<number, Map<string, number>>();
  for (const { trial, window } of trialResults) {
    const cpuUs = window && FIGURES.serverCpuUs.ofWindow(window);
    if (trial.scenario !== scenario || trial.purpose !== "measure" || cpuUs === null) continue;
    rounds.set(trial.round, (rounds.get(trial.round) ?? new Map()).set(trial.variant, cpuUs));
  }
  const pairs = [...rounds.values()].flatMap((of) => {
    const [a, b] = [of.get(variant), of.get(BASE)];
    return a === undefined || b === undefined ? [] : [{ a, b }];
  });
  const connections = blocks.find(({ block }) => block.scenario === scenario)?.block.connections;
  const bySlices = slicesRatio(blocks, {
    ...{
      a: variant,
      b: BASE,
      scenario,
      connections: connections ?? 0,
      perS: null,
      metric: "serverCpuUs",
    },
  });
  const byWindows = pairedRatio(pairs.map(({ a }) => a), pairs.map(({ b }) => b), 0.95);
  return `${describe(bySlices)} by slices, ${describe(byWindows)} by windows`;
}

function describe(ratio: Ratio | null): string {
  if (ratio === null) return "nothing";
  const { confidenceInterval } = ratio;
  const ends = confidenceInterval &&
    ` (${confidenceInterval.low.toFixed(3)} to ${confidenceInterval.high.toFixed(3)})`;
  return `${ratio.estimate.toFixed(3)}${ends ?? ""}`;
}
