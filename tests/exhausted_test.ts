import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Report } from "../src/model/report.ts";
import { canMakeGroups, MEMORY_BYTES, smallGroup } from "../src/process/process_testdata.ts";
import { Sandbox, until } from "./bench.ts";
import { OwnCluster } from "./own_cluster.ts";

const GREEDY = fileURLToPath(new URL("./servers/greedy.ts", import.meta.url));
const SHORT = ["--no-slices", "--rounds", "3", "-z", "1", "--warmup", "0.2", "-c", "1"];

Deno.test("a database that has no connection left in the middle of a run costs windows, not the run", async () => {
  await using cluster = await OwnCluster.create();
  await using sandbox = await Sandbox.create();
  const running = sandbox.start(["sql1", ...SHORT], { env: { DATABASE_URL: cluster.url } });
  await until(() => running.written().includes("[1/3]"), "the first window has ended");
  const others = await takeAll(cluster.url);
  await until(() => running.written().includes("[2/3]"), "the second window has ended");
  await Promise.all(others.map((client) => client.end()));
  const { code, stdout, stderr } = await running.outcome;
  const [report] = await sandbox.reports() as unknown as Report[];
  deepStrictEqual([report?.complete, report?.trialResults.length], [true, 3], stderr);
  strictEqual(report?.trialResults[0]?.failure, null);
  strictEqual(report?.trialResults[2]?.failure, null, stdout + stderr);
  const why = report?.trialResults[1]?.failure?.message ?? "";
  if (code !== 0) match(why, /connection|too many clients|503/);
  deepStrictEqual(await sandbox.leftovers(), []);
});

/** Opens every connection that a database allows. */
async function takeAll(url: string): Promise<pg.Client[]> {
  const clients: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    try {
      await client.connect();
    } catch (error) {
      match(String(error), /connection|too many clients/);
      ok(clients.length > 0);
      return clients;
    }
    clients.push(client);
  }
}

Deno.test({
  name:
    "a server that takes all memory under load is said to have been killed for it, and the run goes on",
  ignore: !await canMakeGroups(),
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create();
    const group = await smallGroup(MEMORY_BYTES) ?? "";
    const folder = `${sandbox.folder}/greedy`;
    await Deno.mkdir(folder);
    const manifest = {
      id: "greedy",
      name: "Greedy",
      language: "TypeScript",
      scenarios: { text: {} },
      start: [
        "sh",
        "-c",
        `echo $$ > ${group}/cgroup.procs; exec ${Deno.execPath()} run -A ${GREEDY}`,
      ],
      env: { SEEN: `${sandbox.folder}/seen` },
    };
    await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(manifest));
    const { code, stdout, stderr } = await sandbox.run(["text", "--server", folder, ...SHORT]);
    await Deno.remove(group); // the group is empty now
    strictEqual(code, 1, stdout + stderr);
    match(stderr, /Greedy was killed by SIGKILL, and memory has run out: the system has killed/);
    const [report] = await sandbox.reports() as unknown as Report[];
    deepStrictEqual(report?.trialResults.map(({ window }) => window !== null), [false, true, true]);
    deepStrictEqual(await sandbox.leftovers(), []);
  },
});
