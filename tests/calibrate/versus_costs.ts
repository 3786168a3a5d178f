import { fileURLToPath } from "node:url";
import { COST_IDS, type CostId } from "../../src/model/costs.ts";
import type { CostChange } from "../../src/model/derived.ts";
import type { Report } from "../../src/model/report.ts";
import { median } from "../../src/stats/median.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { type NodeServer, writeNodeServer } from "../node_server.ts";
import { percent, say } from "./say.ts";

const EQUAL = fileURLToPath(new URL("../../peers/node-http", import.meta.url));

/** A difference between two servers. */
interface Planted {
  readonly name: string;
  readonly group: string;
  /** The cost that estimates the difference. Any cost of the group may find it. */
  readonly metric: CostId;
  /** The server without the difference. By default, it only answers. */
  readonly plain?: NodeServer;
  readonly server: NodeServer;
  /** The planted difference in the unit of the metric; null if only its sign is known. */
  readonly truth: number | null;
}

/**
 * A server with steady memory: V8's threads and the moments of its collections change the peak of equal
 * processes by megabytes.
 */
const STEADY: NodeServer = {
  first: "let count = 0;",
  onRequest: "if (++count % 1000 === 0) gc();",
  start: ["node", "--single-threaded", "--expose-gc", "main.cjs"],
};

export const PLANTED: readonly Planted[] = [
  {
    name: "4 KiB more per connection",
    group: "memory",
    metric: "connectionBytes",
    server: {
      first: "const kept = new Map();",
      onConnection: "kept.set(socket, Buffer.alloc(4096, 1));",
    },
    truth: 4096,
  },
  {
    name: "5 MB more peak",
    group: "peak",
    metric: "peakPssBytes",
    plain: STEADY,
    // V8 collects more often if it knows of more memory, and it does not count that of shared buffers
    server: {
      ...STEADY,
      first: `
        ${STEADY.first}
        globalThis.kept = new Uint8Array(new SharedArrayBuffer(5e6)).fill(1);`,
    },
    truth: 5e6,
  },
  {
    name: "2 % of responses 2 ms late",
    group: "p99",
    metric: "tail99Us",
    server: {
      first: "let count = 0;",
      onRequest: `
        response.setHeader("Content-Type", "text/plain;charset=UTF-8");
        if (++count % 50 === 0) return void setTimeout(() => response.end("Hello world"), 2);`,
    },
    truth: null,
  },
  {
    name: "5 ms of imports",
    group: "startup",
    metric: "startUpUs",
    // The first use of `performance` takes milliseconds more
    server: {
      first: `
        const end = process.hrtime.bigint() + 5_000_000n;
        while (process.hrtime.bigint() < end);`,
    },
    truth: 5000,
  },
  {
    name: "a timer of 1 ms",
    group: "idle",
    metric: "idleWakeUps",
    server: { first: "setInterval(() => {}, 1);" },
    truth: null,
  },
];

/** Counts how often costs of equal servers differ. */
export async function equalCosts(runs: number): Promise<void> {
  const ratios = new Map<string, number[]>();
  let different = 0;
  for (let i = 1; i <= runs; i++) {
    await using sandbox = await Sandbox.create();
    const servers = ["--base", EQUAL, "--head", EQUAL, "--server", EQUAL];
    const { costs, text } = await compare(sandbox, [
      "text",
      "json",
      ...servers,
      "--measure",
      "all",
    ]);
    if (costs.some(({ verdict }) => verdict === "slower" || verdict === "faster")) different++;
    for (const { scenario, metric, ratio } of costs) {
      const name = `${scenario ?? "–"} ${metric}`;
      if (ratio !== null) ratios.set(name, [...ratios.get(name) ?? [], ratio]);
    }
    say(`${i}: equal: ${text}; different so far: ${different}`);
  }
  say(`equal servers: ${different} of ${runs} differ`);
  for (const [name, own] of ratios) {
    const [least, most] = [Math.min(...own), Math.max(...own)].map(percent);
    say(`${name}: ${least} to ${most} in ${own.length} runs`);
  }
}

/** Counts how often a planted cost is found, and how often its estimate is within 10 %. */
export async function plant(
  { name, group, metric, plain, server, truth }: Planted,
  runs: number,
): Promise<void> {
  let [found, close] = [0, 0];
  const times: number[] = [];
  for (let i = 1; i <= runs; i++) {
    await using sandbox = await Sandbox.create();
    const base = await writeNodeServer(sandbox, "plain", plain);
    const head = await writeNodeServer(sandbox, "planted", server);
    const servers = ["--base", base, "--head", head, "--server", base];
    const { costs, tookS } = await compare(sandbox, ["text", ...servers, "--measure", group]);
    const change = costs.find((one) => one.metric === metric);
    const more = (change?.base ?? NaN) * ((change?.ratio ?? NaN) - 1);
    if (costs.some(({ verdict }) => verdict === "slower")) found++;
    if (truth !== null && Math.abs(more - truth) <= 0.1 * truth) close++;
    times.push(tookS);
    say(
      `${i}: ${name}: ${change === undefined ? "nothing" : describe(change)}, ${
        more.toFixed(0)
      } more, ${tookS} s; found so far: ${found}`,
    );
  }
  const within = truth === null ? "" : `, within 10 % in ${close}`;
  say(`${name}: found in ${found} of ${runs}${within}; ${median(times)} s in the median`);
}

interface Compared {
  readonly costs: readonly CostChange[];
  readonly text: string;
  readonly tookS: number;
}

async function compare(sandbox: Sandbox, args: readonly string[]): Promise<Compared> {
  const out = `${sandbox.folder}/costs.json`;
  const { stderr } = await sandbox.run(
    ["versus", ...args, "--no-timing", "--no-counts", "--no-profile", "--out", out],
    LONG_TIMEOUTS,
  );
  const report: Report | null = JSON.parse(await Deno.readTextFile(out).catch(() => "null"));
  const costs = report?.changes?.costs;
  if (report === null || costs === undefined) throw new Error(stderr);
  const sorted = costs.toSorted((a, b) => COST_IDS.indexOf(a.metric) - COST_IDS.indexOf(b.metric));
  const tookS = Math.round(report.tookS);
  return { costs: sorted, text: `${sorted.map(describe).join(", ")}, ${tookS} s`, tookS };
}

function describe(
  { scenario, metric, ratio, verdict, lateRounds, baseRounds }: CostChange,
): string {
  const late = lateRounds > 0 ? ` (${lateRounds} late, ${baseRounds} left)` : "";
  return `${scenario === null ? "" : `${scenario} `}${metric} ${percent(ratio)} ${verdict}${late}`;
}
