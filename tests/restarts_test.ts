import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Report } from "../src/model/report.ts";
import { Sandbox, until } from "./bench.ts";
import { OwnCluster } from "./own_cluster.ts";

Deno.test("a database of one's own that restarts costs a window at most", async () => {
  await using cluster = await OwnCluster.create();
  await using sandbox = await Sandbox.create();
  const short = ["--no-slices", "--rounds", "3", "-z", "1", "--warmup", "0.2", "-c", "1"];
  const running = sandbox.start(["sql1", ...short], { env: { DATABASE_URL: cluster.url } });
  await until(() => running.written().includes("[1/3]"), "the first window has ended");
  await cluster.stop();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  await cluster.start();
  const { stdout, stderr } = await running.outcome;
  const [report] = await sandbox.reports() as unknown as Report[];
  deepStrictEqual([report?.complete, report?.trialResults.length], [true, 3], stderr);
  strictEqual(report?.trialResults[2]?.failure, null, stdout + stderr);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("a database of one's own that says that it is starting is waited for", async () => {
  await using cluster = await OwnCluster.create();
  await using sandbox = await Sandbox.create();
  await cluster.stop();
  // A standby that refuses connections: https://www.postgresql.org/docs/18/hot-standby.html
  await Deno.writeTextFile(`${cluster.data}/standby.signal`, "");
  await cluster.start("-c", "hot_standby=off");
  const running = sandbox.start(["verify", "sql1"], { env: { DATABASE_URL: cluster.url } });
  await until(
    () => /not (yet )?accepting connections/.test(cluster.lastWords),
    "a connection is refused",
  );
  // What pg_ctl promote does
  await Deno.writeTextFile(`${cluster.data}/promote`, "");
  Deno.kill(cluster.pid, "SIGUSR1");
  const { code, stdout, stderr } = await running.outcome;
  match(stdout, /^Using PostgreSQL 18/);
  strictEqual(code, 0, stdout + stderr);
});

Deno.test("an embedded database that takes long to start is waited for", async () => {
  await using sandbox = await Sandbox.create();
  const running = sandbox.start(["verify", "sql1"]);
  let pid = 0;
  await until(async () => {
    pid = (await sandbox.processes("bin/postgres -D"))[0]?.pid ?? 0;
    return pid !== 0;
  }, "PostgreSQL is being started");
  Deno.kill(pid, "SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, 2000));
  Deno.kill(pid, "SIGCONT");
  const { code, stdout, stderr } = await running.outcome;
  strictEqual(code, 0, stdout + stderr);
  deepStrictEqual(await sandbox.leftovers(), []);
});
