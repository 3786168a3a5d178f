import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Report } from "../src/model/report.ts";
import { CAPACITIES } from "../src/view/testdata/open_loop_report.ts";
import { Sandbox, until } from "./bench.ts";
import { errorsOf } from "./report_schema.ts";

const CANNED = fileURLToPath(new URL("./servers/canned/", import.meta.url));
const ONCE = ["--rounds", "1", "--max-rounds", "1", "--warmup", "0.2"];

async function reportOf(sandbox: Sandbox): Promise<Report> {
  const [report] = await sandbox.reports() as unknown as Report[];
  if (report === undefined) throw new Error("no report");
  return report;
}

Deno.test("stampede --rate measures response times at each rate, after a check, and nothing stays", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["text", "--server", CANNED, "--rate", "300", "-z", "1", ...ONCE];
  const { code, stdout, stderr } = await sandbox.run(args);
  strictEqual(code, 0, stderr);
  match(stdout, /^Response times at given rates:$/m);
  match(stdout, /^At 300\.0\/s the open loop /m);
  const report = await reportOf(sandbox);
  deepStrictEqual(errorsOf(report), []);
  deepStrictEqual([report.experiment.kind, report.openChecks.length], ["rate", 1]);
  deepStrictEqual(report.openLoopResults.map(({ perS, status }) => [perS, status]), [
    [300, "ok"],
  ]);
  for (const { offered, sent, responseTime, serviceTime } of report.openLoopResults) {
    strictEqual(sent, offered);
    ok((responseTime?.p50Us ?? 0) >= (serviceTime?.p50Us ?? Infinity));
  }
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("a rate that cannot be reached is said to be one, with what became of the requests", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["text", "--server", CANNED, "--rate", "190000", "-c", "2", "-z", "2", ...ONCE];
  const { code, stdout, stderr } = await sandbox.run(args);
  strictEqual(code, 0, stderr);
  match(stdout, /the rate was not reached: of \d+ scheduled requests \d+ were sent/);
  strictEqual((await reportOf(sandbox)).openLoopResults[0]?.status, "unreached");
});

Deno.test("a server that refuses at a rate is said to, and is not taken for one that answers", async () => {
  await using sandbox = await Sandbox.create();
  let count = 0;
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () =>
      ++count < 20 || count % 2 === 0
        ? new Response("Hello world")
        : new Response("busy", { status: 503 }),
  );
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const { stdout } = await sandbox.run([url, "--rate", "200", "-z", "1", ...ONCE]);
  match(stdout, /the rate was not reached: .* \d\d+ were refused/);
  const [openLoopResult] = (await reportOf(sandbox)).openLoopResults;
  ok((openLoopResult?.goodputPerS ?? Infinity) < 150, "half of them");
});

Deno.test("a server that is killed at a rate has a row that says so", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["text", "--server", CANNED, "--rate", "500", "-z", "2", ...ONCE];
  const running = sandbox.start(args);
  let pid = 0;
  await until(async () => {
    const servers = (await sandbox.processes("main.ts"))
      .filter(({ args }) => !args.includes("bench"));
    pid = servers[0]?.pid ?? 0;
    return pid !== 0;
  }, "the server runs");
  await new Promise((resolve) => setTimeout(resolve, 1000));
  Deno.kill(pid, "SIGKILL");
  const { code, stdout, stderr } = await running.outcome;
  strictEqual(code, 1, stderr);
  match(stdout, /failed: the server .* was killed by SIGKILL/);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede capacity finds what a server holds, draws its curve, and nothing stays", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["capacity", "text", "--server", CANNED, "-z", "0.5", "--width", "50%"];
  const { code, stdout, stderr } = await sandbox.run([
    ...args,
    "--warmup",
    "0",
    "--html",
    "p.html",
  ]);
  strictEqual(code, 0, stderr);
  match(stdout, /^The highest rate that meets p99 < 50 ms, errors < 0\.1 %:$/m);
  const report = await reportOf(sandbox);
  deepStrictEqual(errorsOf(report), []);
  const [capacity] = report.capacities;
  const { heldPerS, failedPerS } = capacity ?? {};
  ok(heldPerS && failedPerS && failedPerS / heldPerS <= 1.5, stdout);
  strictEqual(report.openLoopResults.length, 5);
  match(await Deno.readTextFile(`${sandbox.folder}/p.html`), /Response time by rate/);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("a capacity that is interrupted keeps what it knows, and leaves nothing behind", async () => {
  await using sandbox = await Sandbox.create();
  const running = sandbox.start(["capacity", "text", "--server", CANNED, "-z", "1"]);
  await until(() => running.written().includes("search: text"), "the search is on");
  Deno.kill(running.process.pid, "SIGINT");
  const { code, stdout } = await running.outcome;
  strictEqual(code, 130);
  match(stdout, /the search ended before it found a rate/);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede report draws capacities in every format, and compare refuses them in a line", async () => {
  await using sandbox = await Sandbox.create();
  await Deno.writeTextFile(`${sandbox.folder}/a.json`, JSON.stringify(CAPACITIES));
  const refused = await sandbox.tell(["compare", "a.json", "a.json"]);
  strictEqual(refused.code, 2);
  match(
    refused.stderr,
    /^Cannot compare capacities: print each one instead, with .*a\.json\n$/,
  );
  for (
    const [format, text] of [
      ["table", /^text +1,000 +1,090 +generator +2$/m],
      ["markdown", /^\| text \| 1,000 \| 1,090 \| generator \| 2 \|$/m],
      ["html", /Response time by rate/],
      ["csv", /,goodput_per_s,/],
      ["json", /"heldPerS": ?1000/],
    ] as const
  ) {
    const { code, stdout, stderr } = await sandbox.tell(["report", "a.json", "--format", format]);
    strictEqual(code, 0, stderr);
    match(stdout, text);
  }
});
