/** Measures the costs of real servers, with planted differences. */
import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import type { Report } from "../src/model/report.ts";
import { LONG_TIMEOUTS, Sandbox } from "./bench.ts";
import { writeNodeServer } from "./node_server.ts";

const ONLY_LINUX = { ignore: Deno.build.os !== "linux" };
/** The fewest rounds that can prove changes of all costs in one test. */
const ROUNDS = ["--rounds", "9"];

/** Returns the arguments of a run that measures nothing but costs. */
const measuring = (base: string, head: string, ...more: string[]): string[] => [
  ...["versus", "text", "--base", base, "--head", head, "--server", head],
  ...["--no-timing", "--no-counts", ...ROUNDS, "--out", "costs.json", ...more],
];

Deno.test(
  "longer imports, more memory for each connection and a timer are proven, and fail a gate",
  ONLY_LINUX,
  async () => {
    await using sandbox = await Sandbox.create("shared");
    const base = await writeNodeServer(sandbox, "plain");
    const head = await writeNodeServer(sandbox, "costly", {
      first: `
const end = performance.now() + 100;
while (performance.now() < end);
const kept = new Map();
setInterval(() => {}, 1);
`,
      onConnection: "kept.set(socket, Buffer.alloc(16384, 1));",
    });
    const gate = ["--fail-on", "startup=5%,memory=5%,idle=50%"];
    const { code, stdout, stderr } = await sandbox.run(
      measuring(base, head, "--measure", "startup,memory,idle", ...gate),
      LONG_TIMEOUTS,
    );
    strictEqual(code, 1, stdout + stderr);
    match(stdout, /^More: .*\+[\d.]+ % Start-up/m);
    match(stdout, /^Proven to be more than 5.0 % higher: Start-up, Start-up CPU\b/m);
    match(stdout, /Proven to be more than 50 % higher: .*Idle wake-ups\/s/);
    const report: Report = JSON.parse(await Deno.readTextFile(`${sandbox.folder}/costs.json`));
    const ofCost = (metric: string) =>
      report.changes?.costs.find((change) => change.metric === metric);
    for (const metric of ["startUpUs", "connectionBytes", "idleCpuUs", "idleWakeUps"]) {
      strictEqual(ofCost(metric)?.verdict, "slower", metric);
    }
    const memory = ofCost("connectionBytes");
    const more = (memory?.base ?? 0) * ((memory?.ratio ?? 0) - 1);
    strictEqual(Math.abs(more - 16384) < 0.2 * 16384, true, `${more} bytes more`);
    deepStrictEqual([report.blocks, report.costAbsences], [[], []]);
    deepStrictEqual(await sandbox.leftovers(), []);
    const { stdout: again } = await sandbox.tell(["report", "costs.json"]);
    match(again, /Memory\/connection/);
  },
);

Deno.test(
  "a server that does not take idle connections has no memory for one",
  ONLY_LINUX,
  async () => {
    await using sandbox = await Sandbox.create("shared");
    const base = await writeNodeServer(sandbox, "plain");
    const head = await writeNodeServer(sandbox, "full", {
      first: "let open = 0;",
      onConnection: "if (++open > 1000) process.exit(3);",
    });
    const { code, stdout } = await sandbox.run(
      measuring(base, head, "--measure", "startup,memory", "--fail-on", "memory=5%", "--strict"),
      LONG_TIMEOUTS,
    );
    strictEqual(code, 3, stdout);
    match(stdout, /^Not measured: memory: .*the server ended with exit code 3/m);
    match(stdout, /^Nothing of memory was measured, so nothing is known of it\.$/m);
    deepStrictEqual(await sandbox.leftovers(), []);
  },
);

Deno.test(
  "a server that refuses many idle connections has an idle cost, in one table of costs",
  ONLY_LINUX,
  async () => {
    await using sandbox = await Sandbox.create("shared");
    const server = await writeNodeServer(sandbox, "full", {
      first: "let open = 0;",
      onConnection: "if (++open === 500) socket.server.close();",
    });
    const { code, stdout, stderr } = await sandbox.run(
      [
        ...["text", "--server", `${server}/server.json`, "--measure", "memory,idle", "--no-timing"],
        ...["--rounds", "1", "--out", "costs.json"],
      ],
      LONG_TIMEOUTS,
    );
    strictEqual(code, 0, stdout + stderr);
    match(stdout, /^ *Costs of +Idle CPU\/s +/m);
    doesNotMatch(stdout, /Idle RSS|0\.0 % of it measured|– µs/);
    match(stdout, /Not measured: memory of full: .*It accepted \d+ of 5000 idle connections/);
    const report: Report = JSON.parse(await Deno.readTextFile(`${sandbox.folder}/costs.json`));
    const costs = report.costs.map(({ cost }) => cost).toSorted();
    const idle = ["connectedCpuUs", "idleCpuUs", "idleWakeUps", "quietCpuUs", "quietWakeUps"];
    deepStrictEqual(costs, idle);
    deepStrictEqual(await sandbox.leftovers(), []);
  },
);

Deno.test(
  "late responses and more memory under load are proven, and fail a gate",
  ONLY_LINUX,
  async () => {
    await using sandbox = await Sandbox.create("shared");
    // Long responses, so that a load generator that waits for a processor is not late
    const answering = (ms: string): string => `
      response.setHeader("Content-Type", "text/plain;charset=UTF-8");
      return void setTimeout(() => response.end("Hello world"), ${ms});`;
    const base = await writeNodeServer(sandbox, "plain", { onRequest: answering("50") });
    const head = await writeNodeServer(sandbox, "late", {
      // V8 would collect an unused variable of the module
      first: "let count = 0; globalThis.kept = Buffer.alloc(20e6, 1);",
      onRequest: answering("++count % 50 === 0 ? 450 : 50"),
    });
    const gate = ["--fail-on", "peak=10%,p99=50%", "--connections", "200"];
    const { code, stdout, stderr } = await sandbox.run(
      measuring(base, head, ...gate),
      LONG_TIMEOUTS,
    );
    strictEqual(code, 1, stdout + stderr);
    match(stdout, /^Proven to be more than 10 % higher: text: Peak RSS, text: Peak PSS\./m);
    match(stdout, /^Proven to be more than 50 % higher: text: p99\.$/m);
    match(stdout, /open loop at a tenth of the slower side's rate: text [\d,.]+\/s/);
    const report: Report = JSON.parse(await Deno.readTextFile(`${sandbox.folder}/costs.json`));
    const tail = report.changes?.costs.find(({ metric }) => metric === "tail99Us");
    strictEqual(Math.abs((tail?.head ?? 0) - 450_000) < 0.2 * 450_000, true, `${tail?.head}`);
    deepStrictEqual(await sandbox.leftovers(), []);
  },
);

Deno.test("what cannot be limited or measured is refused in one line", async () => {
  await using sandbox = await Sandbox.create();
  const cases = [
    [["versus", "--base", "x", "--measure", "speed"], /--measure <costs>.*must be some of startup/],
    [
      ["versus", "--base", "x", "--fail-on", "rss=5%"],
      /--fail-on <limits>.*or name costs: startup/,
    ],
    [["compare", "--fail-on", "memory=5%"], /^Reports do not compare costs: leave out memory=/],
    [["bisect", "--good", "x", "--bad", "y", "--fail-on", "idle=5%"], /leave out idle=/],
    [
      ["versus", "--base", "x", "--no-timing", "--no-counts"],
      /^Nothing is left to measure: leave out --no-timing or --no-counts, or use --measure/,
    ],
  ] as const;
  for (const [args, message] of cases) {
    const { code, stderr } = await sandbox.run([...args]);
    strictEqual(code, 2, stderr);
    match(stderr, message);
  }
});
