/** Runs the exported script in k6: one process, and several that divide the load. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { DistributedScenario } from "../src/model/distributed.ts";
import type { DistributedReport } from "../src/model/report.ts";
import { FACTOR } from "../src/stats/histogram.ts";
import { Sandbox } from "./bench.ts";
import { errorsOf } from "./report_schema.ts";

/** Whether k6 is installed. A missing program throws at once, not in the promise. */
const IS_HERE = await Promise.try(() => new Deno.Command("k6", { args: ["version"] }).output())
  .then(({ success }) => success, () => false);

/** Options of k6 in tests: no network except the load. */
const ALONE = ["--quiet", "--no-usage-report", "--address", ""];

/** Middles of buckets in milliseconds. They are so far apart that no disturbance confuses them. */
const [MEDIAN, SLOW, SLOWEST] = [41.9, 281, 971];

/** Starts a server with known percentiles: 97 %, 2.5 % and 0.5 % of responses take these times. */
function slowServer(): Deno.HttpServer<Deno.NetAddr> {
  let count = 0;
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async () => {
    const place = (count++ * 7) % 1000;
    const ms = place < 5 ? SLOWEST : place < 30 ? SLOW : MEDIAN;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return new Response("Hello world");
  });
}

/** Runs the script in several k6 processes at the same time and merges their counts. */
async function measured(sandbox: Sandbox, parts: number): Promise<DistributedScenario> {
  const files = Array.from({ length: parts }, (_, i) => `of-${parts}-${i}.json`);
  const runs = files.map((file, i) =>
    sandbox.startProgram([
      ...["k6", "run", ...ALONE, "-e", `OUT=${file}`],
      ...["--execution-segment", `${i}/${parts}:${i + 1}/${parts}`, "load.ts"],
    ]).outcome
  );
  for (const { code, stderr } of await Promise.all(runs)) strictEqual(code, 0, stderr);
  const { code, stdout, stderr } = await sandbox.tell(["import", "k6", "--json", ...files]);
  strictEqual(code, 0, stderr);
  const report: DistributedReport = JSON.parse(stdout);
  deepStrictEqual(errorsOf(report), []);
  strictEqual(report.runners, parts);
  return report.scenarios[0] as DistributedScenario;
}

/** Declares a test that needs k6. */
function testOfK6(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: name + (IS_HERE ? "" : " (skipped: k6 is not here)"), ignore: !IS_HERE, fn });
}

testOfK6("variables have plain values, which arrive as they are", async () => {
  await using sandbox = await Sandbox.create();
  const values = { query: "a b&c=d%20e/ü+%", header: "50%25 a+b", body: '{"n":"5 %20"}' };
  const arrived = new Set<string>();
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const query = [...new URL(request.url).searchParams];
      const header = request.headers.get("x-key");
      arrived.add(JSON.stringify({ query, header, body: await request.text() }));
      return new Response("Hello world");
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}/a?q=hush&p=hush`;
  const load = ["--rate", "10", "-z", "1", "--out", "load.ts"];
  const own = ["-H", "x-key: hush", "-d", "hush"];
  const { code, stderr } = await sandbox.tell(["export", "k6", url, ...own, ...load]);
  strictEqual(code, 0, stderr);
  const names = stderr.match(/[A-Z_]+(QUERY_[QP]_\d|HEADER_X_KEY|BODY)\b/g) ?? [];
  strictEqual(names.length, 4, stderr);
  const env = Object.fromEntries(names.map((name) => {
    const [, kind = ""] = /_(QUERY|HEADER|BODY)/.exec(name) ?? [];
    return [name, values[kind.toLowerCase() as keyof typeof values]];
  }));
  const run = await sandbox.startProgram(["k6", "run", ...ALONE, "load.ts"], { env }).outcome;
  strictEqual(run.code, 0, run.stderr);
  const { query, header, body } = values;
  deepStrictEqual([...arrived].map((text) => JSON.parse(text)), [
    { query: [["q", query], ["p", query]], header, body },
  ]);
});

testOfK6("the log of a runner that reaches no server says why", async () => {
  await using sandbox = await Sandbox.create();
  const exported = await sandbox.tell(
    ["export", "k6", "text", "--target", "http://127.0.0.1:1", "--rate", "9", "--out", "load.ts"],
  );
  strictEqual(exported.code, 0, exported.stderr);
  const run = ["k6", "run", ...ALONE, "-e", "OUT=-", "load.ts"];
  const { stdout, stderr } = await sandbox.startProgram(run).outcome;
  await Deno.writeTextFile(`${sandbox.folder}/runners.log`, stdout + stderr);
  const imported = await sandbox.tell(["import", "k6", "runners.log"]);
  strictEqual(imported.code, 2);
  match(
    imported.stderr,
    /does not contain the output of a runner\. The runners reported: The load did not begin; text: the server answers 0 .*connection refused$/m,
  );
});

testOfK6("two and four k6 processes, merged, agree with one", async () => {
  await using sandbox = await Sandbox.create();
  await using server = slowServer();
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const exported = await sandbox.tell(
    [
      "export",
      "k6",
      url,
      "--rate",
      "800",
      "-z",
      "5",
      "--slo",
      "p99<2s",
      "--users",
      "200",
      "--out",
      "load.ts",
    ],
  );
  strictEqual(exported.code, 0, exported.stderr);
  const one = await measured(sandbox, 1);
  for (const parts of [2, 4]) {
    const many = await measured(sandbox, parts);
    ok(Math.abs(many.goodputPerS / one.goodputPerS - 1) <= 0.05);
    for (const name of ["p50", "p99", "p999"] as const) {
      const [a = NaN, b = NaN] = [one[name], many[name]].map((time) => time?.us);
      // The same bucket or a neighbour
      ok(
        Math.abs(Math.log(a / b)) < 1.5 * Math.log(FACTOR),
        `${name}: ${a} and ${b} of ${parts}`,
      );
    }
    deepStrictEqual(
      many.runners.map(({ share }) => Math.round(share * parts)),
      Array(parts).fill(1),
    );
    ok(many.runners.some(({ runner }) => runner === many.worst));
  }
});
