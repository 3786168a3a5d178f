/** Cases of a user's first hour in a cluster: refused exports, lost runners, missing Secrets, large files. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { readText } from "../../src/process/files.ts";
import { pause } from "../../src/process/pause.ts";
import { familyOf, readProcesses } from "../../src/process/tree.ts";
import type { ClusterCase } from "./case.ts";
import { ANY_TIME, exported, exportWith, importLog, type Lab, MANIFEST } from "./loads.ts";
import { startServer } from "./servers.ts";
import type { TestRun } from "./test_run.ts";

/** Seconds of a load in which nothing happens to its runners. */
const SHORT_S = 3;
/** Options of a load that takes little time. */
const SHORT = ["--rate", "100", "--duration", String(SHORT_S), "--slo", "p50<10s"];
const POLL_MS = 500;

/** Deletes a TestRun after `use`, even if that fails. */
async function applied(run: TestRun, use: () => Promise<void>): Promise<void> {
  await run.apply();
  try {
    await use();
  } finally {
    await run.delete();
  }
}

/** Waits until a pod has a status. */
async function untilPod(run: TestRun, status: string, { abort }: Lab): Promise<void> {
  while (!(await run.pods()).some((pod) => pod.status === status)) await pause(POLL_MS, abort);
}

/** Kills the k6 process of a runner on a node. */
function killRunner(pidOfNode: number): void {
  const runners = familyOf(readProcesses() ?? new Map(), [pidOfNode]).filter((pid) =>
    readText(`/proc/${pid}/cmdline`)?.startsWith("k6\0run\0")
  );
  strictEqual(runners.length, 1, `there are ${runners.length} k6 processes on the node`);
  for (const pid of runners) Deno.kill(pid, "SIGKILL");
}

export const KUBERNETES_CASES: readonly ClusterCase[] = [
  {
    id: "partial",
    what: "a killed runner: import refuses, and with --partial the SLO is unknown",
    layout: "shared",
    run: async (lab) => {
      await using server = await startServer(lab.scope, lab.cluster, "known");
      const load = ["--rate", "400", "--duration", "10", "--parallelism", "4", ...ANY_TIME];
      const run = await exported(lab, [`${server.origin}/`, ...load]);
      let log = "";
      await applied(run, async () => {
        await run.untilStage("started");
        await pause(3000, lab.abort);
        killRunner(lab.cluster.workers[1]?.pid ?? 0);
        await run.untilStage("finished");
        log = await run.log();
      });
      const refused = await importLog(lab, log);
      strictEqual(refused.code, 2, refused.stdout);
      match(refused.stderr, /the file of a runner is missing \(\S+ of the load\)/);
      const partial = await importLog(lab, log, ["--partial"]);
      strictEqual(partial.code, 3, partial.stdout + partial.stderr);
      match(partial.stdout, /unknown/);
      return refused.stderr.trim();
    },
  },
  {
    id: "secret",
    what: "without its Secret a TestRun waits, and goes on when the Secret exists",
    layout: "shared",
    run: async (lab) => {
      await using server = await startServer(lab.scope, lab.cluster, "known");
      const header = ["--header", "x-token: sesame"];
      const run = await exported(lab, [`${server.origin}/`, ...header, ...SHORT]);
      const secret = ["secret", "generic", "stampede-secrets"];
      let stage = "";
      await applied(run, async () => {
        await untilPod(run, "CreateContainerConfigError", lab);
        stage = await run.stage();
        const manifest = await Deno.readTextFile(`${lab.sandbox.folder}/${MANIFEST}`);
        const [, key] = /^ +key: (\S+)$/m.exec(manifest) ?? [];
        const value = ["--from-literal", `${key}=sesame`];
        await lab.cluster.ask(["create", ...secret, ...value]);
        await run.untilStage("finished");
        strictEqual((await importLog(lab, await run.log())).code, 0);
      }).finally(() => lab.cluster.kubectl(["delete", "secret", "stampede-secrets"]));
      strictEqual(stage, "initialization");
      return `stage ${stage}, pod CreateContainerConfigError, then finished`;
    },
  },
  {
    id: "loopback",
    what: "export refuses a target that is the runner's own pod",
    layout: "shared",
    run: async (lab) => {
      const { code, stderr } = await exportWith(lab, ["text", ...SHORT]);
      strictEqual(code, 2);
      match(stderr, /each runner would load its own pod/);
      return stderr.trim();
    },
  },
  {
    id: "again",
    what: "a manifest runs once, and again after its deletion; another load has another name",
    layout: "shared",
    run: async (lab) => {
      await using server = await startServer(lab.scope, lab.cluster, "known");
      const runnersOf = async (run: TestRun): Promise<string[]> =>
        (await run.pods()).filter(({ isRunner }) => isRunner).map(({ name }) => name).sort();
      const run = await exported(lab, [`${server.origin}/`, ...SHORT]);
      let first: string[] = [];
      await applied(run, async () => {
        await run.untilStage("finished");
        first = await runnersOf(run);
        await run.apply();
        await pause(1000 * SHORT_S, lab.abort);
        strictEqual(await run.stage(), "finished");
        deepStrictEqual(await runnersOf(run), first);
      });
      await applied(run, async () => {
        await run.untilStage("finished");
        ok((await runnersOf(run)).every((name) => !first.includes(name)));
      });
      const other = await exported(lab, [`${server.origin}/`, ...SHORT, "--duration", "4"]);
      ok(other.name !== run.name);
      return `${first.length} pods, the same after a second apply, others after a deletion`;
    },
  },
  {
    id: "large",
    what: "a manifest of 300 kB needs kubectl apply --server-side",
    layout: "shared",
    run: async (lab) => {
      await using server = await startServer(lab.scope, lab.cluster, "known");
      await Deno.writeTextFile(`${lab.sandbox.folder}/body`, "x".repeat(300_000));
      const body = ["--data", "@body", "--with-values"];
      const run = await exported(lab, [`${server.origin}/`, ...body, ...SHORT]);
      const path = `${lab.sandbox.folder}/${MANIFEST}`;
      const refused = await lab.cluster.kubectl(["apply", "-f", path]);
      strictEqual(refused.code, 1);
      match(refused.stderr, /Too long: may not be more than 262144 bytes/);
      await run.delete();
      await applied(run, async () => {
        await run.untilStage("finished");
        strictEqual((await importLog(lab, await run.log())).code, 0);
      });
      return refused.stderr.trim().split("\n").at(-1) ?? "";
    },
  },
  {
    id: "users",
    what: "export refuses fewer virtual users than runners",
    layout: "shared",
    run: async (lab) => {
      const target = ["--target", "http://10.0.0.7:8000"];
      const load = ["--users", "2", "--parallelism", "4"];
      const { code, stderr } = await exportWith(lab, ["text", ...target, ...SHORT, ...load]);
      strictEqual(code, 2);
      match(stderr, /Cannot divide 2 virtual users among 4 runners/);
      return stderr.trim();
    },
  },
  {
    id: "slo",
    what: "a missed SLO: the pods show Error, and their results merge",
    layout: "shared",
    run: async (lab) => {
      await using server = await startServer(lab.scope, lab.cluster, "known");
      const run = await exported(lab, [`${server.origin}/`, ...SHORT, "--slo", "p50<5ms"]);
      let statuses: string[] = [];
      let code = NaN;
      await applied(run, async () => {
        await run.untilStage("finished");
        statuses = (await run.pods()).filter(({ isRunner }) => isRunner).map((pod) => pod.status);
        const imported = await importLog(lab, await run.log());
        code = imported.code;
        match(imported.stdout, /The SLO is not met/);
      });
      deepStrictEqual(statuses, ["Error", "Error"]);
      strictEqual(code, 1);
      return "pods Error, Error; import ended with 1";
    },
  },
];
