import { fileURLToPath } from "node:url";
import type { Report } from "../../src/model/report.ts";
import { ProcessScope } from "../../src/process/scope.ts";
import { median } from "../../src/stats/median.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { CLUSTER_VARIABLE, createDatabase, startCluster } from "../cluster.ts";
import { writeServer } from "./manifest.ts";
import { say } from "./say.ts";
import { versus } from "./versus.ts";

const OWN = fileURLToPath(new URL("../../src/server/main.ts", import.meta.url));
/** Load of `/schema` without invalid requests, because the server without validation accepts them. */
const SCHEMA_LOAD = `
  import { defineScenario, expectEqual, json } from "stampede/scenario";
  import { schema } from "${new URL("../../scenarios/schema.ts", import.meta.url)}";
  export default defineScenario({
    id: "schema-load",
    request: schema.request,
    expect: (answer) => expectEqual(json(answer), { message: "Hello, World" }),
  });
`;
const PARSE_ONLY = fileURLToPath(new URL("../servers/parse_only.ts", import.meta.url));
const PEERS = fileURLToPath(new URL("../../peers/", import.meta.url));
/** The statements of Stampede's own server, for pgbench. */
const STATEMENTS = {
  sql1: "SELECT now() AS ts;",
  sql2:
    "\\set offset random(0, 199990)\nSELECT id, full_name, email FROM stampede.users LIMIT 10 OFFSET :offset;",
};
const CONNECTIONS = "10";
const WINDOW_S = 3;

/**
 * Measures the overhead of Stampede's own server. It compares with bare Deno, with a server without
 * validation, and with pgbench, which sends the same statements to PostgreSQL without HTTP.
 */
export async function cost(runs: number): Promise<void> {
  for (let i = 1; i <= runs; i++) {
    await using sandbox = await Sandbox.create();
    const deno = `${PEERS}deno`;
    for (const [scenario, bare] of [["text", "deno-bare"], ["json", "deno-bare-json"]] as const) {
      await versus(sandbox, `${i}`, [scenario, "--base", `${PEERS}${bare}`, "--head", deno]);
    }
    const scenario = `${sandbox.folder}/schema-load.ts`;
    await Deno.writeTextFile(scenario, SCHEMA_LOAD);
    const [base, head] = [
      await writeServer(sandbox, "parse-only", { scenario: "schema-load", program: [PARSE_ONLY] }),
      await writeServer(sandbox, "validating", { scenario: "schema-load", program: [OWN] }),
    ];
    await versus(sandbox, `${i}`, ["--scenario", scenario, "--base", base, "--head", head]);
  }
  await besidePgbench(runs);
}

/** Measures windows of the server and of pgbench in turn, on one PostgreSQL. */
async function besidePgbench(runs: number): Promise<void> {
  await using scope = new ProcessScope();
  Deno.env.set(CLUSTER_VARIABLE, await startCluster(scope));
  await using database = await createDatabase("filled");
  const ratios = new Map(Object.keys(STATEMENTS).map((scenario) => [scenario, [] as number[]]));
  for (let i = 1; i <= 3 * runs; i++) {
    for (const [scenario, statement] of Object.entries(STATEMENTS)) {
      await using sandbox = await Sandbox.create();
      const script = `${sandbox.folder}/statement.sql`;
      await Deno.writeTextFile(script, statement);
      const { stdout, stderr } = await new Deno.Command("pgbench", {
        args: ["-n", "-M", "prepared", "-c", CONNECTIONS, "-j", "1", "-T", String(WINDOW_S)]
          .concat("-f", script, database.url),
      }).output();
      const text = new TextDecoder().decode(stdout);
      const tps = Number(/^tps = ([\d.]+)/m.exec(text)?.[1]);
      if (!tps) throw new Error(new TextDecoder().decode(stderr) || text);
      const args = [scenario, "--no-slices", "--rounds", "1", "--generator", "stampede", "--json"];
      const run = await sandbox.run([...args, "-z", String(WINDOW_S), "-c", CONNECTIONS], {
        ...LONG_TIMEOUTS,
        DATABASE_URL: database.url,
      });
      const report = JSON.parse(run.stdout) as Report;
      const perS = report.results[0]?.requestsPerS?.median ?? NaN;
      ratios.get(scenario)?.push(perS / tps);
      say(`${i}: ${scenario}: ${Math.round(perS)} of pgbench's ${Math.round(tps)}/s`);
    }
  }
  for (const [scenario, all] of ratios) {
    say(`cost: ${scenario} ${median(all).toFixed(2)} of pgbench`);
  }
}
