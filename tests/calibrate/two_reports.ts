import { ProcessScope } from "../../src/process/scope.ts";
import type { Change, Changes } from "../../src/model/derived.ts";
import type { Report } from "../../src/model/report.ts";
import { LONG_TIMEOUTS, Sandbox } from "../bench.ts";
import { clone, makeJsonWait } from "./clone.ts";
import { describe, say } from "./say.ts";

/**
 * Runs pairs of default runs and compares their reports. Prints how many rows differ, and the minimum
 * detectable change.
 *
 * @param pauseS pause between the two runs, in seconds
 */
export async function files(pairs: number, pauseS: number): Promise<void> {
  let [rows, different] = [0, 0];
  for (let i = 1; i <= pairs; i++) {
    await using sandbox = await Sandbox.create();
    const bottlenecks: string[] = [];
    for (const name of ["base", "head"]) {
      if (name === "head") await new Promise((resolve) => setTimeout(resolve, 1000 * pauseS));
      const { code, stderr } = await sandbox.run(["--out", `${name}.json`], LONG_TIMEOUTS);
      if (code !== 0) throw new Error(stderr);
      bottlenecks.push(
        bottlenecksOf(JSON.parse(await Deno.readTextFile(`${sandbox.folder}/${name}.json`))),
      );
    }
    const { stdout, stderr } = await sandbox.tell(["compare", "base.json", "head.json", "--json"]);
    if (stdout === "") throw new Error(stderr);
    const { changes } = JSON.parse(stdout) as Changes;
    const compared = changes.filter(({ ratio }) => ratio !== null);
    rows += compared.length;
    different += compared.filter(({ verdict }) => verdict !== "same").length;
    for (const bottleneck of bottlenecks) say(`${i}: ${bottleneck}`);
    for (const change of compared) {
      const seen = change.minimumDetectableChange === null
        ? "none"
        : `${(100 * change.minimumDetectableChange).toFixed(1)} %`;
      say(`   ${describe(change)}; minimum detectable change ${seen}`);
    }
  }
  say(`files: ${different} of ${rows} rows different in ${pairs} pairs`);
}

/**
 * Runs pairs of runs of one server, the first next to a compiler. Prints how many rows `stampede compare`
 * reports as different, although none is, and how many it compares with `--force`.
 */
export async function besideCompiler(pairs: number): Promise<void> {
  let [rows, proven, forced] = [0, 0, 0];
  for (let i = 1; i <= pairs; i++) {
    await using sandbox = await Sandbox.create();
    for (const name of ["base", "head"]) {
      await using scope = new ProcessScope();
      if (name === "base") compile(scope, await scope.makeFolder());
      const args = ["text", "schema", "--servers", "fastify", "--out", `${name}.json`];
      const { code, stderr } = await sandbox.run(args, LONG_TIMEOUTS);
      if (code !== 0) throw new Error(stderr);
      const report = await Deno.readTextFile(`${sandbox.folder}/${name}.json`);
      say(`${i}: ${bottlenecksOf(JSON.parse(report))}`);
    }
    for (const more of [[], ["--force"]]) {
      const args = ["compare", "base.json", "head.json", "--json", ...more];
      const { stdout, stderr } = await sandbox.tell(args);
      if (stdout === "") throw new Error(stderr);
      const { changes } = JSON.parse(stdout) as Changes;
      const isProven = ({ verdict }: Change): boolean => ["faster", "slower"].includes(verdict);
      for (const change of changes) say(`   ${more.join("")} ${describe(change)}`);
      if (more.length > 0) {
        forced += changes.filter(isProven).length;
        continue;
      }
      rows += changes.length;
      proven += changes.filter(isProven).length;
    }
  }
  say(
    `next to a compiler: ${proven} of ${rows} rows different in ${pairs} pairs, ${forced} with --force`,
  );
}

/** Compiles this project repeatedly until the scope ends. */
function compile(scope: ProcessScope, folder: string): void {
  const entry = new URL("../../bench.ts", import.meta.url);
  const file = `${folder}/again.ts`;
  // Deno does not check unchanged files again
  const script = `i=0; while :; do i=$((i + 1))
echo "import '${entry}'; export const n: number = $i;" > '${file}'
'${Deno.execPath()}' check --quiet '${file}'; done`;
  scope.spawn({ argv: ["sh", "-c", script], stopSignal: "SIGKILL" });
}

/**
 * Runs pairs of `bench text json schema` for a version and for one with a busy wait in `/json`. Counts the
 * pairs in which `stampede compare` finds the change.
 */
export async function changedFiles(us: number, pairs: number): Promise<void> {
  let [found, others] = [0, 0];
  for (let i = 1; i <= pairs; i++) {
    await using sandbox = await Sandbox.create();
    const root = `${await clone(sandbox)}/`;
    for (const name of ["base", "head"]) {
      if (name === "head") await makeJsonWait(root, us);
      const args = ["text", "json", "schema", "--out", `${name}.json`];
      const { code, stderr } = await sandbox.start(args, { root, env: LONG_TIMEOUTS }).outcome;
      if (code !== 0) throw new Error(stderr);
      const report = await Deno.readTextFile(`${sandbox.folder}/${name}.json`);
      say(`${i}: ${bottlenecksOf(JSON.parse(report))}`);
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

/**
 * Returns the duration of a run, its relative CPU with half intervals, and the number of unknown bottlenecks.
 */
function bottlenecksOf({ results, tookS }: Report): string {
  const unknown = results.filter(({ bottleneck }) => bottleneck?.kind === "unknown").length;
  const costs = results.flatMap(({ scenario, relativeCpu: cost }) => {
    if (cost === null) return [];
    const { ratio, confidenceInterval } = cost;
    const half = confidenceInterval === null
      ? NaN
      : 100 * (confidenceInterval.high - confidenceInterval.low) / 2 / ratio;
    return [`${scenario} ${ratio.toFixed(3)} ± ${half.toFixed(1)} %`];
  });
  return `${Math.round(tookS)} s, ${unknown} unknown; ${costs.join(", ")}`;
}
