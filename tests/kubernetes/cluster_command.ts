/**
 * Runs exported loads in a real Kubernetes cluster with the real k6-operator, on this machine:
 * `deno task test:cluster [CASE...]`. docs/testing.md describes it.
 */
import { availableParallelism } from "node:os";
import { interruption } from "../../src/cli/interruption.ts";
import { INTERRUPTED, Interrupted, messageOf } from "../../src/model/errors.ts";
import { removeFolder } from "../../src/process/files.ts";
import { ProcessScope } from "../../src/process/scope.ts";
import { Sandbox } from "../bench.ts";
import { elapsed } from "../results.ts";
import { type ClusterCase, type LayoutName, layoutOf } from "./case.ts";
import { Cluster } from "./cluster.ts";
import { DIFFERENCES } from "./differences.ts";
import { makeImages } from "./images.ts";
import { leftOf, stateOfMachine } from "./leftovers.ts";
import { KUBERNETES_CASES } from "./kubernetes_cases.ts";
import { MERGING_CASES } from "./merging_cases.ts";
import { SCALE } from "./scale.ts";
import { missingHere, type Programs, providePrograms } from "./programs.ts";

const CASES: readonly ClusterCase[] = [
  ...MERGING_CASES,
  ...KUBERNETES_CASES,
  ...DIFFERENCES,
  SCALE,
];

const USAGE = `deno task test:cluster [CASE...]

${CASES.map(({ id, what }) => `  ${id.padEnd(17)} ${what}`).join("\n")}

Runs the named cases; default: all but those in parentheses. The first run builds
Kubernetes, k6 and k6-operator, which takes 13 minutes on two cores. Needs root.
Exit code 1: a case failed.`;

function say(line: string): void {
  // deno-lint-ignore no-console -- this script's own output
  console.log(line);
}
const abort = interruption()();

/** The programs and images of all clusters. */
interface Supplies {
  readonly scope: ProcessScope;
  readonly programs: Programs;
  /** Folder of images. */
  readonly store: string;
}

/**
 * Starts the cluster of a layout and runs its cases. Returns the number of failures.
 *
 * @param seen receives the state of the machine with the cluster
 */
async function runCases(
  { scope, programs, store }: Supplies,
  layout: LayoutName,
  cases: readonly ClusterCase[],
  seen: Set<string>,
): Promise<number> {
  const startedMs = performance.now();
  const cpus = Array.from({ length: availableParallelism() }, (_, i) => i);
  await using cluster = await Cluster.start(scope, programs, store, layoutOf(layout, cpus), abort);
  say(`The cluster is ready: ${cluster.workers.length} workers (${since(startedMs)})`);
  for (const one of await stateOfMachine()) seen.add(one);
  let failed = 0;
  for (const { id, what, run } of cases) {
    const startedMs = performance.now();
    await using sandbox = await Sandbox.create();
    try {
      const figures = await run({ scope, sandbox, cluster, abort, say });
      say(`ok      ${id}: ${what} (${since(startedMs)})\n        ${figures}`);
    } catch (error) {
      abort.throwIfAborted();
      failed++;
      say(`FAILED  ${id}: ${what} (${since(startedMs)})\n        ${messageOf(error)}`);
    }
  }
  return failed;
}

function since(startedMs: number): string {
  return elapsed(performance.now() - startedMs);
}

/** Runs cases in the clusters of their layouts. Returns the number of failures. */
async function runAll(chosen: readonly ClusterCase[], seen: Set<string>): Promise<number> {
  await using scope = new ProcessScope();
  say("Kubernetes, k6 and k6-operator:");
  const programs = await providePrograms(scope, abort, say);
  const store = await scope.makeFolder();
  await makeImages(programs, store);
  let failed = 0;
  for (const [layout, cases] of Map.groupBy(chosen, ({ layout }) => layout)) {
    failed += await runCases({ scope, programs, store }, layout, cases, seen);
  }
  return failed;
}

/** Runs the chosen cases, and then looks for what the clusters have left. Returns the exit code. */
async function main(words: readonly string[]): Promise<number> {
  const chosen = CASES.filter(({ id, isOptional = false }) =>
    words.length === 0 ? !isOptional : words.includes(id)
  );
  const startedMs = performance.now();
  const before = await stateOfMachine();
  const seen = new Set<string>();
  const folder = await Deno.makeTempDir({ prefix: "stampede-cluster-" });
  await Deno.chmod(folder, 0o755); // PostgreSQL may run as another user
  Deno.env.set("TMPDIR", folder);
  let failed = 0;
  try {
    failed += await runAll(chosen, seen);
  } finally {
    const left = await leftOf(seen.difference(before), folder);
    if (left.length > 0) failed++;
    say(
      left.length > 0
        ? `FAILED  the clusters have left: ${left.join(", ")}`
        : "ok      nothing is left of the clusters",
    );
    await removeFolder(folder);
  }
  const outcome = failed === 0 ? "ok" : "FAILED";
  say(`${outcome} | ${chosen.length} cases, ${failed} failed (${since(startedMs)})`);
  return failed === 0 ? 0 : 1;
}

if (Deno.args.includes("--help")) {
  say(USAGE);
  Deno.exit(0);
}
const unknown = Deno.args.filter((word) => !CASES.some(({ id }) => id === word));
if (unknown.length > 0) {
  say(`There is no case "${unknown.join(", ")}".\n\n${USAGE}`);
  Deno.exit(2);
}
const missing = await missingHere();
if (missing.length > 0) {
  say(`The cluster cannot run here. It needs:\n${missing.map((one) => `- ${one}`).join("\n")}`);
  Deno.exit(1);
}
try {
  Deno.exit(await main(Deno.args));
} catch (error) {
  say(messageOf(error));
  Deno.exit(error instanceof Interrupted ? INTERRUPTED : 1);
}
