import type { Report } from "../../src/model/report.ts";
import { median } from "../../src/stats/median.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { say } from "./say.ts";

const FUNCTIONS = 20;
/** Iterations of each function's loop, about 0.2 µs. */
const ITERATIONS = 200;
/** The planted work, as a share of the CPU time of a request. */
const PLANTED = 0.03;

/** Returns a server that calls 20 functions for each response. One of them may do more work. */
const server = (slow: number | null, more: number): string => `
${
  Array.from({ length: FUNCTIONS }, (_function, i) => `
function work${i}(x) {
  let y = x;
  for (let i = 0; i < ${ITERATIONS + (i === slow ? more : 0)}; i++) y = (y * 31 + i) | 0;
  return y;
}`).join("")
}
let sum = 0;
Deno.serve({ hostname: Deno.env.get("HOST"), port: Number(Deno.env.get("PORT")) }, () => {
  ${Array.from({ length: FUNCTIONS }, (_function, i) => `sum = work${i}(sum);`).join("\n  ")}
  return new Response("Hello world");
});
`;

/** Profiles equal servers, then servers of which one function does 3 % more work of a request. */
export async function profiles(equal: number, planted: number): Promise<void> {
  let named = 0;
  let cpuUs = 10;
  for (let i = 1; i <= equal; i++) {
    const run = await compare(null, 0);
    cpuUs = run.cpuUs;
    if (run.proven.length > 0) named++;
    say(`${i}: equal: ${run.text}; named so far: ${named}`);
  }
  if (equal > 0) say(`equal servers: a function was named in ${named} of ${equal}`);
  let first = 0;
  for (let i = 1; i <= planted; i++) {
    const slow = Math.floor(Math.random() * FUNCTIONS);
    const more = Math.round(PLANTED * cpuUs * 1000 / nsPerIteration());
    const run = await compare(slow, more);
    if (run.proven[0] === `work${slow}`) first++;
    say(`${i}: work${slow} does ${more} iterations more: ${run.text}; first so far: ${first}`);
    cpuUs = run.cpuUs;
  }
  if (planted > 0) say(`planted: ranked first in ${first} of ${planted}`);
}

/** Returns the time of one iteration of the functions' loop, in nanoseconds: median of 20 loops. */
function nsPerIteration(): number {
  const count = 1e6;
  return median(Array.from({ length: 20 }, (_loop, x) => {
    const startMs = performance.now();
    let y = x;
    for (let i = 0; i < count; i++) y = (y * 31 + i) | 0;
    const tookMs = performance.now() - startMs;
    if (y === 0.5) throw new Error("The loop has a result, so it is not left out");
    return 1e6 * tookMs / count;
  }));
}

async function compare(
  slow: number | null,
  more: number,
): Promise<{ readonly proven: readonly string[]; readonly text: string; readonly cpuUs: number }> {
  const startedMs = performance.now();
  await using sandbox = await Sandbox.create();
  for (const [id, source] of [["one", server(null, 0)], ["other", server(slow, more)]] as const) {
    const start = ["deno", "run", "--no-prompt", "-A", "main.js"];
    const manifest = { id, name: id, language: "JavaScript", scenarios: { text: {} }, start };
    await Deno.mkdir(`${sandbox.folder}/${id}`);
    await Deno.writeTextFile(`${sandbox.folder}/${id}/server.json`, JSON.stringify(manifest));
    await Deno.writeTextFile(`${sandbox.folder}/${id}/main.js`, source);
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
