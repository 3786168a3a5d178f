import { fileURLToPath } from "node:url";
import type { Report } from "../../src/model/report.ts";
import { describeCount } from "../../src/view/counts_text.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { writeNodeServer } from "../node_server.ts";
import { clone, git } from "./clone.ts";
import { say } from "./say.ts";

const OWN = fileURLToPath(new URL("../../peers/deno", import.meta.url));
/** The query of /sql1 in Stampede's own server, and the same after another one. */
const ROUTES = "src/server/routes/sql.ts";
const QUERY = "await database.query(NOW, [], request)";
const TWICE = `(${QUERY.replace("NOW", '{ name: "one", text: "SELECT 1" }')}, ${QUERY})`;

/** Counts how often equal servers differ, and how often a planted call or statement is named. */
export async function counts(runs: number, planted: number): Promise<void> {
  let different = 0;
  for (let i = 1; i <= runs; i++) {
    await using sandbox = await Sandbox.create();
    const [one, other] = [
      await writeNodeServer(sandbox, "one"),
      await writeNodeServer(sandbox, "other"),
    ];
    const args = i % 2 === 0
      ? ["text", "--base", one, "--head", other, "--server", one]
      : ["sql1", "--base", OWN, "--head", OWN];
    const { found, text } = await count(sandbox, args);
    if (found.length > 0) different++;
    say(`${i}: equal: ${text}; different so far: ${different}`);
  }
  say(`equal servers: ${different} of ${runs} differ`);
  await plant(planted, "setsockopt 1 → 2 per connection", async (sandbox) => {
    const other = await writeNodeServer(sandbox, "other", {
      onConnection: "socket.setNoDelay(false);",
    });
    const one = await writeNodeServer(sandbox, "one");
    return ["text", "--base", one, "--head", other, "--server", one];
  });
  await plant(planted, "write 0 → 1 per request", async (sandbox) => {
    const one = await writeNodeServer(sandbox, "one");
    const other = await writeNodeServer(sandbox, "other", {
      onRequest: 'writeSync(nowhere, "x");',
    });
    return ["text", "--base", one, "--head", other, "--server", one];
  });
  await plant(planted, "database statements 1 → 2 per request", async (sandbox) => {
    const folder = await clone(sandbox);
    const source = await Deno.readTextFile(`${folder}/${ROUTES}`);
    if (!source.includes(QUERY)) throw new Error(`${ROUTES} is not as it was`);
    await Deno.writeTextFile(`${folder}/${ROUTES}`, source.replace(QUERY, TWICE));
    await git("-C", folder, "commit", "--quiet", "--all", "--message", "Two statements");
    return ["sql1", "--server", `${folder}/peers/deno`, "--base", "HEAD~1", "--head", "HEAD"];
  });
}

async function plant(
  runs: number,
  expected: string,
  prepare: (sandbox: Sandbox) => Promise<string[]>,
): Promise<void> {
  let named = 0;
  const times: number[] = [];
  for (let i = 1; i <= runs; i++) {
    await using sandbox = await Sandbox.create();
    const { found, text, tookS } = await count(sandbox, await prepare(sandbox));
    if (found.includes(expected)) named++;
    times.push(tookS);
    say(`${i}: ${expected}: ${text}; named so far: ${named}`);
  }
  if (runs > 0) {
    say(`${expected}: named in ${named} of ${runs}, in at most ${Math.max(...times)} s`);
  }
}

async function count(
  sandbox: Sandbox,
  args: readonly string[],
): Promise<{ readonly found: readonly string[]; readonly text: string; readonly tookS: number }> {
  const startedMs = performance.now();
  const out = `${sandbox.folder}/counts.json`;
  const { stderr } = await sandbox.run(
    ["versus", ...args, "--no-timing", "--out", out],
    LONG_TIMEOUTS,
  );
  const report: Report | null = JSON.parse(await Deno.readTextFile(out).catch(() => "null"));
  const compared = report?.changes?.counts ?? null;
  if (compared === null) throw new Error(stderr);
  const tookS = Math.round((performance.now() - startedMs) / 100) / 10;
  const { changes, varying } = compared;
  const found = changes.map(describeCount);
  const varied = varying.length > 0 ? `, ${varying.join(" and ")} vary` : "";
  const text = `${found.join(", ") || "none"} of ${compared.compared}${varied}, ${tookS} s`;
  return { found, text, tookS };
}
