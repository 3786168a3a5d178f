import { fileURLToPath } from "node:url";
import { decodeFromCompressedBase64, type Histogram } from "hdr-histogram-js";
import { checkedUpTo } from "../../src/analysis/derive_open_loop_results.ts";
import type { Latency } from "../../src/model/raw.ts";
import type { Report } from "../../src/model/report.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { say } from "./say.ts";

const SERVER = fileURLToPath(new URL("../servers/slow.ts", import.meta.url));
const STALL_MS = 500;
const EVERY_MS = 5000;
const STALLED_PER_S = 1000;
/** Four stalls. */
const STALLED_S = 20;
const LATE_MS = 100;
const RATES = [500, 2000, 10_000];
/** No whole number of milliseconds apart: servers round their timers to these. */
const AGREED_PER_S = 197;
const AGREED_S = 5;
const WAIT_MS = 5;

/**
 * Measures a server that stalls for half a second every five seconds: prints the response times of an open loop,
 * those that theory predicts, and those of a closed loop.
 */
export async function stall(runs: number): Promise<void> {
  await using sandbox = await Sandbox.create();
  const env = { STALL_MS: String(STALL_MS), EVERY_MS: String(EVERY_MS) };
  await using server = await startServer(sandbox, env);
  // Who comes in the stall waits for its end
  const share = (STALL_MS - LATE_MS) / EVERY_MS;
  const p99Ms = STALL_MS - 0.01 * EVERY_MS;
  say(`theory: p99 ${p99Ms} ms, ${percent(share)} above ${LATE_MS} ms`);
  for (let i = 1; i <= runs; i++) {
    for (const [name, ...options] of [["open", "--rate", String(STALLED_PER_S)], ["closed"]]) {
      const args = [server.url, ...options, "-z", String(STALLED_S), "--rounds", "1"];
      const report = await bench(sandbox, [...args, "--generator", "stampede"]);
      const measurement = report.trialResults.at(-1)?.window?.measurement;
      const latency = name === "open" ? measurement?.open?.responseTime : measurement?.latency;
      const histogram = histogramOf(latency ?? null);
      const late = 1 - percentileAt(histogram, 1000 * LATE_MS);
      const ms = histogram.getValueAtPercentile(99) / 1000;
      say(`${i}: ${name} loop: p99 ${ms.toFixed(1)} ms, ${percent(late)} above ${LATE_MS} ms`);
    }
  }
}

/** The open loop against theory, as every run checks it: how often it agrees, at each of some rates. */
export async function check(runs: number): Promise<void> {
  const agreed = new Map(RATES.map((perS) => [perS, 0]));
  for (let i = 1; i <= runs; i++) {
    await using sandbox = await Sandbox.create();
    const args = [
      "text",
      "--rate",
      RATES.join(),
      "-z",
      "0.5",
      "--rounds",
      "1",
      "--max-rounds",
      "1",
    ];
    const report = await bench(sandbox, args);
    for (const one of report.openChecks) {
      const upTo = checkedUpTo(one);
      if (upTo === 1) agreed.set(one.perS, (agreed.get(one.perS) ?? 0) + 1);
      const figures = (["p50Us", "p90Us", "p99Us"] as const)
        .map((name) => `${one.found[name]} of ${Math.round(one.expected[name] ?? NaN)}`);
      say(
        `${i}: ${one.perS}/s: ${figures.join(", ")} us: ${upTo === 1 ? "agrees" : `up to ${upTo}`}`,
      );
    }
  }
  for (const [perS, count] of agreed) {
    say(`check: at ${perS}/s ${count} of ${runs} agree with theory`);
  }
}

/** The median of a server that takes 5 ms, by Stampede and by other tools that can send at a rate. */
export async function agree(runs: number): Promise<void> {
  await using sandbox = await Sandbox.create();
  await using server = await startServer(sandbox, { WAIT_MS: String(WAIT_MS) });
  const k6 = `${sandbox.folder}/k6.js`;
  await Deno.writeTextFile(
    k6,
    `import http from "k6/http";
export const options = { scenarios: { rate: { executor: "constant-arrival-rate", rate: ${AGREED_PER_S},
  timeUnit: "1s", duration: "${AGREED_S}s", preAllocatedVUs: 50 } } };
export default () => http.get("${server.url}");
export const handleSummary = ({ metrics }) =>
  ({ stdout: String(metrics.http_req_duration.values.med) });`,
  );
  const oha = [
    "-q",
    String(AGREED_PER_S),
    "-z",
    `${AGREED_S}s`,
    "--latency-correction",
    "--no-tui",
  ];
  for (let i = 1; i <= runs; i++) {
    const args = [server.url, "--rate", String(AGREED_PER_S), "-z", String(AGREED_S)];
    const report = await bench(sandbox, [...args, "--rounds", "1", "--arrivals", "even"]);
    const ownMs = (report.openLoopResults[0]?.responseTime?.p50Us ?? NaN) / 1000;
    const others = [
      [
        "oha",
        await output(
          "oha",
          [...oha, "--output-format", "json", server.url],
          (text) => 1000 * JSON.parse(text).latencyPercentiles.p50,
        ),
      ],
      ["k6", await output("k6", ["run", "-q", k6], Number)],
    ] as const;
    const told = others.map(([name, ms]) =>
      ms === null ? `${name} is not here` : `${name} ${ms.toFixed(2)} (${percent(ownMs / ms - 1)})`
    );
    say(`${i}: p50 in ms: stampede ${ownMs.toFixed(2)}, ${told.join(", ")}`);
  }
}

/** Measures the capacities of two scenarios `runs` times: prints their widths, and whether all overlap. */
export async function capacity(runs: number): Promise<void> {
  const found = new Map<string, [held: number, failed: number][]>();
  for (let i = 1; i <= runs; i++) {
    await using sandbox = await Sandbox.create();
    const report = await bench(sandbox, ["capacity", "sql2", "primes"]);
    for (const { scenario, heldPerS, failedPerS, bottleneck, isOfGenerator } of report.capacities) {
      const [held, failed] = [heldPerS ?? NaN, failedPerS ?? NaN];
      found.set(scenario, [...found.get(scenario) ?? [], [held, failed]]);
      const withBottleneck = isOfGenerator ? "generator" : bottleneck?.kind;
      say(
        `${i}: ${scenario}: ${held} to ${failed}/s (${
          percent(failed / held - 1)
        }), ${withBottleneck}`,
      );
    }
    say(`${i}: ${Math.round(report.tookS)} s`);
  }
  for (const [scenario, intervals] of found) {
    const held = Math.max(...intervals.map(([held]) => held));
    const failed = Math.min(...intervals.map(([, failed]) => failed));
    say(`capacity: ${scenario}: ${held < failed ? "all overlap" : "not all overlap"}`);
  }
}

/** A separate server, until it is disposed. */
async function startServer(
  sandbox: Sandbox,
  env: Readonly<Record<string, string>>,
): Promise<AsyncDisposable & { readonly url: string }> {
  const { process, written, outcome } = sandbox.startProgram(
    [Deno.execPath(), "run", "-A", SERVER],
    { env },
  );
  while (!written().includes("http://")) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    url: written().trim(),
    [Symbol.asyncDispose]: async () => {
      process.kill();
      await outcome;
    },
  };
}

async function bench(sandbox: Sandbox, args: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await sandbox.run([...args, "--json"], LONG_TIMEOUTS);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Report;
}

/** Returns a program's output; null if it is not installed. */
async function output(
  program: string,
  args: readonly string[],
  read: (text: string) => number,
): Promise<number | null> {
  try {
    const { stdout } = await new Deno.Command(program, { args: [...args] }).output();
    return read(new TextDecoder().decode(stdout));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

function histogramOf(latency: Latency | null): Histogram {
  return decodeFromCompressedBase64(latency?.histogram ?? "") as Histogram;
}

/** The share of values up to this one. */
function percentileAt(histogram: Histogram, us: number): number {
  let [low, high] = [0, 100];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (histogram.getValueAtPercentile(middle) <= us) low = middle;
    else high = middle;
  }
  return low / 100;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
