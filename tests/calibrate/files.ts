import type { Changes } from "../../src/model/derived.ts";
import type { Report } from "../../src/model/report.ts";
import { PATIENT, Sandbox } from "../bench.ts";
import { clone, makeJsonWait } from "./clone.ts";
import { describe, say } from "./say.ts";

/**
 * Two default runs, one after the other, and `bench compare` of their files, so many times: how many rows
 * are different, and what could have been seen.
 *
 * @param pauseS between the two runs
 */
export async function files(pairs: number, pauseS: number): Promise<void> {
  let [rows, different] = [0, 0];
  for (let i = 1; i <= pairs; i++) {
    await using sandbox = await Sandbox.create();
    const limits: string[] = [];
    for (const name of ["base", "head"]) {
      if (name === "head") await new Promise((resolve) => setTimeout(resolve, 1000 * pauseS));
      const { code, stderr } = await sandbox.run(["--out", `${name}.json`], PATIENT);
      if (code !== 0) throw new Error(stderr);
      limits.push(limitsOf(JSON.parse(await Deno.readTextFile(`${sandbox.folder}/${name}.json`))));
    }
    const { stdout, stderr } = await sandbox.tell(["compare", "base.json", "head.json", "--json"]);
    if (stdout === "") throw new Error(stderr);
    const { changes } = JSON.parse(stdout) as Changes;
    const compared = changes.filter(({ ratio }) => ratio !== null);
    rows += compared.length;
    different += compared.filter(({ verdict }) => verdict !== "same").length;
    for (const limit of limits) say(`${i}: ${limit}`);
    for (const change of compared) {
      const seen = change.detectable === null
        ? "nothing"
        : `${(100 * change.detectable).toFixed(1)} %`;
      say(`   ${describe(change)}; ${seen} could have been seen`);
    }
  }
  say(`files: ${different} of ${rows} rows different in ${pairs} pairs`);
}

/**
 * Files of one version and of one whose `/json` waits busily for so many microseconds, from runs of
 * `bench text json schema` that follow each other: in how many pairs `bench compare` finds it.
 */
export async function changedFiles(us: number, pairs: number): Promise<void> {
  let [found, others] = [0, 0];
  for (let i = 1; i <= pairs; i++) {
    await using sandbox = await Sandbox.create();
    const root = `${await clone(sandbox)}/`;
    for (const name of ["base", "head"]) {
      if (name === "head") await makeJsonWait(root, us);
      const args = ["text", "json", "schema", "--out", `${name}.json`];
      const { code, stderr } = await sandbox.start(args, { root, env: PATIENT }).outcome;
      if (code !== 0) throw new Error(stderr);
      const report = await Deno.readTextFile(`${sandbox.folder}/${name}.json`);
      say(`${i}: ${limitsOf(JSON.parse(report))}`);
    }
    const { stdout, stderr } = await sandbox.tell(["compare", "base.json", "head.json", "--json"]);
    if (stdout === "") throw new Error(stderr);
    const { changes } = JSON.parse(stdout) as Changes;
    for (const change of changes) say(`   ${describe(change)}`);
    const different = changes.filter(({ verdict }) => verdict !== "same");
    if (different.some(({ scenario }) => scenario === "json")) found++;
    if (different.some(({ scenario }) => scenario !== "json")) others++;
  }
  say(`changed files: json different in ${found} of ${pairs} pairs, another row in ${others}`);
}

/** How long a run took, the costs with half their intervals, and how many limits were unclear. */
function limitsOf({ cells, tookS }: Report): string {
  const unclear = cells.filter(({ verdict }) => verdict?.limit === "unclear").length;
  const costs = cells.flatMap(({ scenario, cost }) => {
    if (cost === null) return [];
    const { ratio, interval } = cost;
    const half = interval === null ? NaN : 100 * (interval.high - interval.low) / 2 / ratio;
    return [`${scenario} ${ratio.toFixed(3)} ± ${half.toFixed(1)} %`];
  });
  return `${Math.round(tookS)} s, ${unclear} unclear; ${costs.join(", ")}`;
}
