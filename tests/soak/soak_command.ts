/**
 * Runs a soak, `deno task soak --hours 1`: a server under mixed load with hostile clients must keep its
 * memory, descriptors and latency. docs/reliability.md explains the method.
 */
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { interruption } from "../../src/cli/interruption.ts";
import {
  FAILED,
  Failure,
  FINE,
  INTERRUPTED,
  messageOf,
  UsageError,
  WRONG_USAGE,
} from "../../src/model/errors.ts";
import type { Server } from "../../src/model/server.ts";
import { ProcessScope } from "../../src/process/scope.ts";
import { readCatalog, readManifest } from "../../src/target/catalog.ts";
import { drawSoak } from "./chart.ts";
import { csvOf, parseSamples, type Sample } from "./sample.ts";
import { soak, type Soaked } from "./soak.ts";
import { judgeSoak, type Trend, type Verdict, warmupOf } from "./verdict.ts";

const USAGE = `deno task soak [--hours N | --minutes N] [options]

  --hours N, --minutes N  length of the soak, such as 0.5 (default: 1 hour)
  --rate N                new clients per second (default: 200)
  --hostile N             percentage of hostile clients (default: 5)
  --server NAME           server in peers/, or folder of a manifest (default: deno)
  --warmup MINUTES        leave out the first minutes (default: 10, or a quarter of a short soak)
  --out FOLDER            write samples.csv, soak.json and soak.svg to this folder
  --samples FILE          judge the samples.csv of an earlier soak, and load nothing

Exit code 1: memory, descriptors or the latency of / grew by more than 5 % after
the warm-up; more than one polite request in 10,000 had no right response; or
the server did not close its clients' descriptors.`;

const DEFAULTS = { hours: 1, rate: 200, hostile: 5, server: "deno" };
const HOUR_S = 3600;
const MINUTE_S = 60;
const SHORTEST_S = 10;
/** Sample interval in seconds; short soaks use shorter ones, to have at least 40 samples. */
const SAMPLE_S = 5;
const FEWEST_SAMPLES = 40;
const SHORTEST_SAMPLE_S = 0.5;
/** Number of progress lines. */
const LINES = 20;
const MIB = 2 ** 20;

interface Chosen {
  readonly seconds: number;
  readonly perS: number;
  readonly hostileEvery: number;
  readonly server: Server;
  /** Seconds without samples; undefined: the default for the length of the soak. */
  readonly warmupS: number | undefined;
  readonly out: string | null;
}

function say(text: string): void {
  // deno-lint-ignore no-console -- this script's own output
  console.log(text);
}

function positive(name: string, text: string | undefined, fallback: number, least = 0): number {
  const value = text === undefined ? fallback : Number(text);
  if (Number.isFinite(value) && value >= least && (text ?? "x").trim() !== "") return value;
  throw new UsageError(`--${name} takes a number of at least ${least}, not "${text}"`);
}

const TEXT = { type: "string" } as const;
const OPTIONS = {
  hours: TEXT,
  minutes: TEXT,
  rate: TEXT,
  hostile: TEXT,
  server: TEXT,
  warmup: TEXT,
  out: TEXT,
  samples: TEXT,
};

type Options = { readonly [Name in keyof typeof OPTIONS]?: string | undefined };

function optionsOf(args: readonly string[]): Options {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\n\n${USAGE}`);
  }
}

async function choose(values: Options): Promise<Chosen> {
  if (values.hours !== undefined && values.minutes !== undefined) {
    throw new UsageError("Give --hours or --minutes, not both");
  }
  const seconds = values.minutes === undefined
    ? HOUR_S * positive("hours", values.hours, DEFAULTS.hours)
    : MINUTE_S * positive("minutes", values.minutes, 0);
  if (seconds < SHORTEST_S) {
    throw new UsageError(`A soak takes at least ${SHORTEST_S} s: give --hours 1, or --minutes 5`);
  }
  const hostile = positive("hostile", values.hostile, DEFAULTS.hostile);
  if (hostile > 100) throw new UsageError("--hostile takes at most 100 percent");
  return {
    seconds,
    perS: positive("rate", values.rate, DEFAULTS.rate, 1),
    hostileEvery: hostile === 0 ? 0 : Math.max(1, Math.round(100 / hostile)),
    server: await serverOf(values.server ?? DEFAULTS.server),
    warmupS: warmupIn(values, seconds),
    out: values.out ?? null,
  };
}

/** Returns the chosen warm-up of a soak in seconds; undefined: the default. */
function warmupIn({ warmup }: Options, soakS: number): number | undefined {
  if (warmup === undefined) return undefined;
  const warmupS = MINUTE_S * positive("warmup", warmup, 0);
  if (warmupS < soakS / 2) return warmupS;
  throw new UsageError(
    `--warmup takes less than half of the soak, which has ${(soakS / MINUTE_S).toFixed(1)} min`,
  );
}

async function serverOf(name: string): Promise<Server> {
  const server = (await readCatalog()).get(name);
  if (server !== undefined) return server;
  const isFolder = await Deno.stat(name).then(({ isDirectory }) => isDirectory, () => false);
  if (isFolder) return await readManifest(name);
  throw new UsageError(
    `There is no server "${name}" in peers/, and no folder of that name with a server.json`,
  );
}

/** Prints a line for every n-th sample. */
function progressOf(every: number): (sample: Sample) => void {
  let count = 0;
  let [right, wrong, longest] = [0, 0, 0];
  return ({ atS, rssBytes, files, latency, reference, ...sample }) => {
    right += sample.right;
    wrong += sample.refused + sample.failed;
    longest = Math.max(longest, latency?.longest ?? 0);
    if (++count % every > 0) return;
    say([
      `${(atS / MINUTE_S).toFixed(1)} min: ${Math.round(rssBytes / MIB)} MiB`,
      `${files} descriptors`,
      `/ p50 ${ms(latency?.p50)}, p99 ${ms(latency?.p99)}, longest ${ms(longest)}`,
      `null server p50 ${ms(reference?.p50)}, p99 ${ms(reference?.p99)}`,
      `${right} right responses, ${wrong} others`,
    ].join("; "));
    [right, wrong, longest] = [0, 0, 0];
  };
}

function ms(value: number | undefined): string {
  return value === undefined ? "–" : `${value.toPrecision(3)} ms`;
}

function percent(share: number): string {
  return `${share < 0 ? "" : "+"}${(100 * share).toFixed(1)} %`;
}

function describe({ name, unit, first, last, ratio, confidenceInterval, verdict }: Trend): string {
  const figure = (value: number): string =>
    `${unit === "×" ? value.toFixed(2) : Math.round(value)}${unit === "" ? "" : ` ${unit}`}`;
  const range = confidenceInterval === null
    ? ""
    : ` (${percent(confidenceInterval.low - 1)} to ${percent(confidenceInterval.high - 1)})`;
  return `${name}: ${figure(first)}, then ${figure(last)}: ${
    percent(ratio - 1)
  }${range}: ${verdict}`;
}

function reportTrends(verdict: Verdict): void {
  say(
    `Medians of the first and the last third after a warm-up of ${
      (verdict.warmupS / MINUTE_S).toFixed(1)
    } min, with the change and its 95 % confidence interval:`,
  );
  for (const trend of verdict.trends) say(`  ${describe(trend)}`);
  if (verdict.drift !== null) say(`  p50 of the null server: ${percent(verdict.drift)}`);
}

function report(soaked: Soaked, verdict: Verdict): void {
  const { before, after, stopS, problems, lastFailure } = soaked;
  say("");
  reportTrends(verdict);
  const wrong = Math.round(verdict.failedShare * verdict.requests);
  say(
    `${verdict.requests} polite requests, ${wrong} without a right response${
      lastFailure === null ? "" : ` (the last: ${lastFailure})`
    }; ${soaked.samples.reduce((sum, { hostile }) => sum + hostile, 0)} hostile clients`,
  );
  say(
    `Before the load: ${before.files} descriptors, ${Math.round(before.rssBytes / MIB)} MiB; ` +
      `after it: ${after.files} descriptors, ${Math.round(after.rssBytes / MIB)} MiB; stopped in ${
        stopS.toFixed(1)
      } s`,
  );
  for (const problem of problems) say(`PROBLEM: ${problem}`);
}

async function writeFiles(
  folder: string,
  soaked: Soaked,
  verdict: Verdict,
  chosen: Chosen,
): Promise<void> {
  const { samples } = soaked;
  await Deno.mkdir(folder, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const facts =
    `${date}, ${cpus().length} x ${
      cpus()[0]?.model
    }, Deno ${Deno.version.deno}: ${chosen.perS} clients/s, ` +
    `${chosen.hostileEvery === 0 ? 0 : Math.round(100 / chosen.hostileEvery)} % hostile`;
  const title = `${chosen.server.name}: ${
    ((samples.at(-1)?.atS ?? 0) / MINUTE_S).toFixed(0)
  } minutes of mixed load with hostile clients`;
  const svg = await drawSoak(samples, { title, facts, warmupS: verdict.warmupS });
  await Deno.writeTextFile(join(folder, "soak.svg"), svg);
  await Deno.writeTextFile(join(folder, "samples.csv"), csvOf(samples));
  const json = { date, server: chosen.server.id, facts, verdict, ...soaked };
  await Deno.writeTextFile(join(folder, "soak.json"), `${JSON.stringify(json, null, 2)}\n`);
  say(
    `Wrote ${
      ["soak.svg", "samples.csv", "soak.json"].map((name) => join(folder, name)).join(", ")
    }`,
  );
}

async function run(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    say(USAGE);
    return FINE;
  }
  const options = optionsOf(args);
  if (options.samples !== undefined) return await judgeFile(options.samples, options);
  const chosen = await choose(options);
  const { seconds, server, warmupS } = chosen;
  const sampleS = Math.max(SHORTEST_SAMPLE_S, Math.min(SAMPLE_S, seconds / FEWEST_SAMPLES));
  const signal = interruption()();
  await using scope = new ProcessScope();
  say(
    `${server.name}: ${(seconds / MINUTE_S).toFixed(1)} min, with a warm-up of ${
      ((warmupS ?? warmupOf(seconds)) / MINUTE_S).toFixed(1)
    } min`,
  );
  const onSample = progressOf(Math.max(1, Math.floor(seconds / sampleS / LINES)));
  const soaked = await soak(scope, { ...chosen, sampleS, signal, onSample });
  if (soaked.samples.length === 0) return INTERRUPTED;
  const verdict = judgeSoak(soaked.samples, warmupS);
  report(soaked, verdict);
  if (chosen.out !== null) await writeFiles(chosen.out, soaked, verdict, chosen);
  const isFine = verdict.isFine && soaked.problems.length === 0;
  say(conclusion(isFine, verdict));
  return signal.aborted ? INTERRUPTED : isFine ? FINE : FAILED;
}

function conclusion(isFine: boolean, { trends }: Verdict): string {
  const unclear = trends.filter(({ verdict }) => verdict === "unclear").length;
  return !isFine ? "FAILED" : unclear === 0 ? "ok" : `ok, but ${unclear} unclear: use more --hours`;
}

/** Judges the samples of an earlier soak. */
async function judgeFile(path: string, options: Options): Promise<number> {
  const csv = await Deno.readTextFile(path).catch((error: unknown) => {
    throw new UsageError(`Cannot read the samples of a soak from ${path}: ${messageOf(error)}`);
  });
  const samples = parseSamples(csv);
  const last = samples.at(-1);
  if (last === undefined) throw new UsageError(`There are no samples in ${path}`);
  const verdict = judgeSoak(samples, warmupIn(options, last.atS));
  reportTrends(verdict);
  say(conclusion(verdict.isFine, verdict));
  return verdict.isFine ? FINE : FAILED;
}

try {
  Deno.exit(await run(Deno.args));
} catch (error) {
  if (!(error instanceof Failure || error instanceof UsageError)) throw error;
  say(error.message);
  Deno.exit(error instanceof UsageError ? WRONG_USAGE : FAILED);
}
