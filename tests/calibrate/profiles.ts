import type { Report } from "../../src/model/report.ts";
import { median } from "../../src/stats/median.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { say } from "./say.ts";

const FUNCTIONS = 20;
/** Iterations of each function's loop, about 1 µs. */
const ITERATIONS = 200;
/** The planted work, as a share of the CPU time of a request. */
const PLANTED = 0.03;

const RUNTIMES = {
  deno: {
    start: ["deno", "run", "--no-prompt", "-A", "main.mjs"],
    serve: `
const { HOST, PORT } = Deno.env.toObject();
Deno.serve({ hostname: HOST, port: Number(PORT) }, () => new Response(handle()));`,
  },
  node: {
    start: ["node", "main.mjs"],
    serve: `
import { createServer } from "node:http";
createServer((request, response) => {
  response.setHeader("Content-Type", "text/plain;charset=UTF-8");
  response.end(handle());
}).listen(Number(process.env.PORT), process.env.HOST);`,
  },
} as const;
type Runtime = keyof typeof RUNTIMES;

/**
 * Returns a server that calls 20 equal functions for each response. It first measures how many iterations
 * of the loop take `us` microseconds, because one takes longer here than in a loop alone. Then `slow` does that
 * many iterations more.
 */
const server = (runtime: Runtime, slow: number, us: number): string => `
let more = 0;
${
  Array.from({ length: FUNCTIONS }, (_function, i) => `
function work${i}(x) {
  let y = x;
  for (let i = 0; i < ${
    i === slow ? `${ITERATIONS} + more` : ITERATIONS
  }; i++) y = (y * 31 + i) | 0;
  return y;
}`).join("")
}
let sum = 0;
function handle() {
  ${Array.from({ length: FUNCTIONS }, (_function, i) => `sum = work${i}(sum);`).join("\n  ")}
  return "Hello world";
}
function usOf(iterations) {
  more = iterations;
  const startMs = performance.now();
  for (let i = 0; i < 1000; i++) handle();
  return performance.now() - startMs;
}
const times = Array.from({ length: 9 }, () => usOf(1000) - usOf(0)).sort((a, b) => a - b);
more = Math.round(${us} * 1000 / times[4]);
${RUNTIMES[runtime].serve}
`;

/**
 * Profiles equal servers, then servers of which one function does 3 % more work of a request, on Deno and
 * Node.js in turn.
 */
export async function profiles(equal: number, planted: number): Promise<void> {
  let named = 0;
  const cpuUs = { deno: 0, node: 0 };
  for (let i = 1; i <= equal; i++) {
    const runtime = runtimeOf(i);
    const run = await compare(runtime, 0, 0);
    cpuUs[runtime] = run.cpuUs;
    if (run.proven.length > 0) named++;
    say(`${i}: ${runtime}, equal: ${run.text}; named so far: ${named}`);
  }
  if (equal > 0) say(`equal servers: a function was named in ${named} of ${equal}`);
  let first = 0;
  // The size of the planted work depends on the time of a request
  for (const runtime of ["deno", "node"] as const) {
    if (equal < 2 && planted > 0) cpuUs[runtime] = (await compare(runtime, 0, 0)).cpuUs;
  }
  for (let i = 1; i <= planted; i++) {
    const slow = Math.floor(Math.random() * FUNCTIONS);
    const runtime = runtimeOf(i);
    const us = PLANTED * cpuUs[runtime];
    const run = await compare(runtime, slow, us);
    if (run.proven[0] === `work${slow}`) first++;
    const what = `${runtime}, work${slow} takes ${us.toFixed(2)} µs more`;
    say(`${i}: ${what}: ${run.text}; first so far: ${first}`);
    cpuUs[runtime] = run.cpuUs;
  }
  if (planted > 0) say(`planted: ranked first in ${first} of ${planted}`);
}

function runtimeOf(i: number): Runtime {
  return i % 2 === 0 ? "node" : "deno";
}

async function compare(
  runtime: Runtime,
  slow: number,
  us: number,
): Promise<{ readonly proven: readonly string[]; readonly text: string; readonly cpuUs: number }> {
  const startedMs = performance.now();
  await using sandbox = await Sandbox.create();
  for (
    const [id, source] of [
      ["one", server(runtime, slow, 0)],
      ["other", server(runtime, slow, us)],
    ] as const
  ) {
    const { start } = RUNTIMES[runtime];
    const manifest = { id, name: id, language: "JavaScript", scenarios: { text: {} }, start };
    await Deno.mkdir(`${sandbox.folder}/${id}`);
    await Deno.writeTextFile(`${sandbox.folder}/${id}/server.json`, JSON.stringify(manifest));
    await Deno.writeTextFile(`${sandbox.folder}/${id}/main.mjs`, source);
  }
  const out = `${sandbox.folder}/profiles.json`;
  const { stderr } = await sandbox.run(
    ["versus", "text", "--server", "one", "--base", "one", "--head", "other", "--out", out]
      .concat("--no-timing", "--no-counts", "--profile"),
    LONG_TIMEOUTS,
  );
  const report: Report | null = JSON.parse(await Deno.readTextFile(out).catch(() => "null"));
  const [found] = report?.changes?.functions ?? [];
  if (report === null || found === undefined) throw new Error(stderr);
  const proven = found.changes.filter(({ isProven }) => isProven);
  const tookS = Math.round((performance.now() - startedMs) / 1000);
  const texts = (proven.length > 0 ? proven : found.changes.slice(0, 2)).map((change) =>
    `${change.name} ${(change.headUs - change.baseUs).toFixed(2)} (${change.low.toFixed(2)} to ${
      change.high.toFixed(2)
    })`
  );
  return {
    proven: proven.map(({ name }) => name),
    text: `${proven.length} proven of ${found.compared}: ${texts.join(", ")}; ${tookS} s`,
    cpuUs: median(report.selfTimes.flatMap(({ cpuUs }) => cpuUs ?? [])),
  };
}
