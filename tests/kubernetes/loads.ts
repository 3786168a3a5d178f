/** Loads from a cluster's runners, and from k6 processes without Kubernetes. */
import type { DistributedScenario } from "../../src/model/distributed.ts";
import { Failure } from "../../src/model/errors.ts";
import type { DistributedReport } from "../../src/model/report.ts";
import type { ProcessScope } from "../../src/process/scope.ts";
import { addBuckets, bucketAt, rangeOf } from "../../src/stats/histogram.ts";
import { sum } from "../../src/stats/median.ts";
import type { Outcome, Sandbox } from "../bench.ts";
import { outputOf } from "../suites/program.ts";
import type { Say } from "../suites/run_suites.ts";
import { inCgroupsOf } from "./cgroups.ts";
import type { Cluster } from "./cluster.ts";
import { TestRun } from "./test_run.ts";

/** Everything that a case uses. */
export interface Lab {
  readonly scope: ProcessScope;
  readonly sandbox: Sandbox;
  readonly cluster: Cluster;
  readonly abort: AbortSignal;
  readonly say: Say;
}

/** Names of the files that {@linkcode exported} writes to the sandbox. */
export const SCRIPT = "load.ts";
export const MANIFEST = "load.yaml";

/** Address in its network at which a plain k6 process receives commands. */
const PLAIN_API = "127.0.0.1:6565";
/** Seconds until a command to it counts as hung. */
const TIMEOUT_S = 30;

/** A limit of percentiles that every load meets. The default number of users would follow from it. */
export const ANY_TIME = ["--slo", "p99<10s", "--users", "256"];

/** Runs `stampede export k6` with these arguments, which writes a script and a manifest. */
export function exportWith({ sandbox }: Lab, args: readonly string[]): Promise<Outcome> {
  const files = ["--out", SCRIPT, "--kubernetes", MANIFEST];
  return sandbox.tell(["export", "k6", ...args, ...files, "--yes-i-may-load-this-host"]);
}

/** Exports a load that must be valid. */
export async function exported(lab: Lab, args: readonly string[]): Promise<TestRun> {
  const { code, stderr } = await exportWith(lab, args);
  if (code !== 0) throw new Failure(`export ended with ${code}: ${stderr.trim()}`);
  return await TestRun.in(`${lab.sandbox.folder}/${MANIFEST}`, lab);
}

/** Runs a load in the cluster, and returns the merged result of its runners. */
export async function merged(lab: Lab, args: readonly string[]): Promise<DistributedScenario> {
  return await mergedOf(lab, await exported(lab, args));
}

/** Runs an exported load in the cluster, and returns the merged result of its runners. */
export async function mergedOf(lab: Lab, run: TestRun): Promise<DistributedScenario> {
  await run.apply();
  try {
    await run.untilStage("finished");
    const pods = (await run.pods()).map(({ name, status }) => `${name} ${status}`).join(", ");
    return scenarioOf(await importLog(lab, await run.log(), ["--json"]), pods);
  } finally {
    await run.delete();
  }
}

/** Runs `stampede import k6` with the output of runners. */
export async function importLog(
  { sandbox }: Lab,
  log: string,
  options: readonly string[] = [],
): Promise<Outcome> {
  await Deno.writeTextFile(`${sandbox.folder}/runners.log`, log);
  return await sandbox.tell(["import", "k6", "runners.log", ...options]);
}

/** k6 processes without Kubernetes. */
interface Plain {
  readonly processes?: number;
  /** Id of a process in the pod of which they use network and resources; default: those of the first worker. */
  readonly pod?: number;
  /** Starts the load when it resolves. The processes start before. */
  readonly start?: Promise<void>;
}

/**
 * Runs the exported script in k6 processes without Kubernetes, on the processors of runners, and returns
 * their merged result.
 *
 * @param target the server, such as `http://10.89.0.100:8000`
 */
export async function plain(
  { scope, sandbox, cluster, abort }: Lab,
  target: string,
  { processes = 1, pod, start }: Plain = {},
): Promise<DistributedScenario> {
  const place = pod ?? cluster.workers[0]?.pid;
  if (place === undefined) throw new Failure("The cluster has no worker");
  const inNetwork = ["nsenter", "--target", String(place), "--net", "--"];
  const address = start === undefined ? "" : PLAIN_API;
  const names = Array.from({ length: processes }, (_, i) => `plain-${i}.json`);
  const sequence = Array.from({ length: processes + 1 }, (_, i) => `${i}/${processes}`).join();
  const runs = names.map(async (name, i) => {
    const part = ["--execution-segment", `${i}/${processes}:${i + 1}/${processes}`];
    const argv = [
      ...[...inNetwork, cluster.k6, "run", "--quiet", "--no-usage-report", "--address", address],
      ...start === undefined ? [] : ["--paused"],
      ...processes === 1 ? [] : [...part, "--execution-segment-sequence", sequence],
      ...["-e", `TARGET=${target}`, "-e", `OUT=${name}`, SCRIPT],
    ];
    const child = scope.spawn({
      argv: pod === undefined ? argv : inCgroupsOf(pod, argv),
      cwd: sandbox.folder,
      cpus: cluster.layout.cpus?.runners ?? null,
    });
    const { success } = await child.untilEnded(abort);
    abort.throwIfAborted();
    if (!success) throw new Failure(`k6 ${child.howItEnded}${child.lastWords}`);
  });
  const resumed = start?.then(() =>
    outputOf([...inNetwork, cluster.k6, "resume", "--address", address], { timeoutS: TIMEOUT_S })
  );
  await Promise.all([...runs, resumed]);
  return scenarioOf(await sandbox.tell(["import", "k6", ...names, "--json"]), "k6 processes");
}

/** Reads the output of an import. `runs` explains its failure. */
function scenarioOf({ code, stdout, stderr }: Outcome, runs: string): DistributedScenario {
  if (code !== 0) throw new Failure(`import ended with ${code}: ${stderr.trim()} (${runs})`);
  const report: DistributedReport = JSON.parse(stdout);
  const [scenario] = report.scenarios;
  if (scenario === undefined) throw new Failure("The merged report has no scenario");
  return scenario;
}

/** Figures of one load, or of several equal ones. */
export interface Figures {
  readonly offered: number;
  readonly right: number;
  readonly dropped: number;
  /** Right responses per second. */
  readonly perS: number;
  readonly buckets: DistributedScenario["buckets"];
}

/** Adds the counts of equal loads. */
export function sumOf(loads: readonly DistributedScenario[]): Figures {
  return {
    offered: sum(loads.map(({ offered }) => offered)),
    right: sum(loads.map(({ right }) => right)),
    dropped: sum(loads.map(({ dropped }) => dropped)),
    perS: sum(loads.map(({ goodputPerS }) => goodputPerS)) / loads.length,
    buckets: addBuckets(loads.map(({ buckets }) => buckets)),
  };
}

/** Returns the number of the bucket of a percentile; NaN without requests. */
export function bucketOf({ buckets }: Figures, percentile: number): number {
  return bucketAt(buckets, percentile) ?? NaN;
}

/** Returns a percentile in milliseconds, such as `21.5`. */
export function msOf(figures: Figures, percentile: number): string {
  const bucket = bucketOf(figures, percentile);
  return Number.isNaN(bucket) ? "–" : String(Number((rangeOf(bucket).us / 1000).toPrecision(3)));
}

/** Returns the rate and the percentiles of a load: `400.0/s, p50 21.5 ms, p99 212 ms`. */
export function describeLoad(figures: Figures): string {
  const times = [0.5, 0.99].map((one) => msOf(figures, one));
  return `${figures.perS.toFixed(1)}/s, p50 ${times[0]} ms, p99 ${times[1]} ms`;
}
