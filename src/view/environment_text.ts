import type { VariantRecord } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import { count, gibibytes, share } from "../model/text.ts";
import { duration, roughly } from "./format.ts";
import { quoted } from "./reproduce.ts";
import { byWorkload, isSameWorkload, workloadOf } from "../analysis/keys.ts";

/**
 * Returns the rounds, connections and generators in one line. A second line names findings of the
 * doctor that make figures less precise, if there are any.
 */
export function briefEnvironment(report: Report): string[] {
  const { host, complete, results, generators, tookS } = report;
  const doubtful = host.findings.filter(({ status }) => status === "warn").map(({ name }) => name);
  const takers = generators.filter(({ id }) => !chosen(report).includes(id)).map(({ id }) => id);
  const isTaken = results.some(({ isTakenOver }) => isTakenOver) && takers.length > 0;
  const names = isTaken
    ? `${chosen(report).join(", ")} (†: ${takers.join(", ")})`
    : generatorNames(report).join(", ");
  const parts = [
    ...(complete ? [] : ["interrupted"]),
    ...(results.length === 0 ? lengthsOf(report) : [`${roundsOf(report)} in ${duration(tookS)}`]),
    connectionsOf(report),
    ...(generators.length === 0 ? [] : [names]),
  ];
  return [
    parts.join(", "),
    ...(doubtful.length === 0
      ? []
      : [`! ${doubtful.join(", ")} may blur figures: ${quoted([...report.program, "doctor"])}`]),
  ];
}

/** Returns the load generators that measured windows; all generators if there were no windows. */
function generatorNames({ generators, trialResults }: Report): string[] {
  const used = trialResults.filter(({ trial }) => trial.purpose === "measure")
    .map(({ trial }) => trial.generator);
  const ids = generators.map(({ id }) => id);
  return used.length === 0 ? ids : ids.filter((id) => used.includes(id));
}

/** Returns the load generators that were chosen for the variants before the first round. */
function chosen({ experiment: { variants } }: Report): string[] {
  return [...new Set(variants.map(({ generator }) => generator))];
}

/** Returns the load, the rounds, the machine and the doctor's warnings, in a few lines. */
export function environment(report: Report): string[] {
  const { experiment, pinning, generators, versions, host, database, complete } = report;
  const { shards } = experiment.load;
  const workers = commonWorkers(experiment.variants);
  const parts = [
    connectionsOf(report),
    ...(complete ? [] : ["interrupted"]),
    ...lengthsOf(report),
    warmups(report),
    ...(generators.length === 0 ? [] : [
      generators.map(({ id, version }) => `${id} ${version}`).join(", ") +
      (shards > 1 ? ` with ${shards} shards` : ""),
    ]),
    pinning === null ? "not pinned" : "pinned",
    ...(workers > 1 ? [`${workers} workers per server, if its manifest can set them`] : []),
    `seed ${experiment.design.seed}`,
  ];
  const machine = [
    `Deno ${versions.deno}`,
    ...(database === null ? [] : [`PostgreSQL ${versions.postgresql}`]),
    `${host.os} ${host.kernel}`,
    `${host.cores} x ${host.cpuModel}`,
    gibibytes(host.memoryBytes),
  ];
  const warnings = host.findings.filter(({ status }) => status === "warn");
  return [
    parts.join(", "),
    machine.join(", "),
    `took ${duration(report.tookS)}${ofWhichMeasured(report)}`,
    ...warnings.map(({ name, found }) => `! ${name}: ${found}`),
  ];
}

/** Returns the share of a run that was measured; empty if a damaged report has impossible times. */
function ofWhichMeasured({ measuredS, tookS }: Report): string {
  const part = measuredS / tookS;
  return part <= 1 ? `, ${share(part)} of it measured` : "";
}

/** Returns the number of connections, and in brackets the scenarios that used another number. */
function connectionsOf(report: Report): string {
  const { tls } = report.experiment.load;
  const over = tls === null ? "" : tls === "h2" ? " with HTTP/2 over TLS" : " with TLS";
  return numbersOf(report) + over;
}

function numbersOf({ trialResults, experiment: { load } }: Report): string {
  const { connections, defaultConnections } = load;
  if (connections !== null) {
    return `${connections.join(", ")} connection${connections.join() === "1" ? "" : "s"}`;
  }
  const loads = new Map(
    trialResults.filter(({ trial }) => trial.purpose === "measure")
      .map(({ trial }) => [trial.scenario, trial.load]),
  );
  const others = [...loads].filter(([, own]) => own.connections !== defaultConnections)
    .map(([scenario, own]) => `${scenario}: ${own.connections}`).sort();
  return count(defaultConnections, "connection") + listed(others);
}

/** Returns the number of workers that every server has; 1 if their numbers differ or are not set. */
function commonWorkers(variants: readonly VariantRecord[]): number {
  const [workers = "1", ...others] = new Set(variants.map(({ env }) => env.WORKERS));
  return others.length === 0 ? Number(workers) : 1;
}

/** Returns the length of the warm-up, and in brackets the scenarios and servers with another one. */
function warmups({ experiment: { load }, trialResults, blocks }: Report): string {
  const usual = load.warmupS ?? load.defaultWarmupS;
  const windows = trialResults.filter(({ trial }) => trial.purpose === "measure")
    .map(({ trial: { variant, scenario, load: { warmupS } } }) => ({
      scenario,
      variants: [variant],
      warmupS,
    }));
  // Windows of the same scenario have already warmed up the servers of slices
  const slices = blocks.map(({ block }) => block)
    .filter(({ scenario }) => !windows.some((window) => window.scenario === scenario));
  const loads = [...windows, ...slices];
  const own = (of: (load: (typeof loads)[number]) => readonly string[]): Map<string, number> => {
    const least = new Map<string, number>();
    for (const load of loads) {
      for (const name of of(load)) {
        least.set(name, Math.min(load.warmupS, least.get(name) ?? Infinity));
      }
    }
    return new Map([...least].filter(([, warmupS]) => warmupS !== usual));
  };
  const scenarios = own(({ scenario }) => [scenario]);
  // The entry of the scenario already explains the warm-up of these servers
  const servers = [...own(({ variants }) => variants)].filter(([, warmupS]) =>
    ![...scenarios.values()].includes(warmupS)
  );
  const texts = [...scenarios, ...servers].map(([name, warmupS]) => `${name}: ${warmupS}`);
  return `${usual} s of warm-up${listed(texts.sort())}`;
}

function listed(texts: readonly string[]): string {
  return texts.length > 0 ? ` (${texts.join(", ")})` : "";
}

/** Numbers of rounds as texts: `12` or `6 to 12`. */
interface Rounds {
  /** Number of all rounds. */
  readonly all: string;
  /** Number of rounds with windows; null if every round has windows, or none has. */
  readonly withWindows: string | null;
}

/** Counts the rounds of every workload: those with windows, with slices, or with both. */
function countRounds({ results, blocks, trialResults }: Report): Rounds {
  const sliced = blocks.map(({ block }) => block).filter(({ purpose }) => purpose === "measure");
  // Without trial results, all figures come from slices
  const windows = trialResults.length === 0 ? [] : results;
  const counts = byWorkload([...windows, ...sliced].map(workloadOf)).map(([workload]) => {
    const own = windows.filter((result) => isSameWorkload(result, workload));
    const most = Math.max(0, ...own.map(({ rounds, failedRounds }) => rounds + failedRounds));
    const slices = sliced.filter((block) => isSameWorkload(block, workload)).length;
    return { windows: most, all: Math.max(most, slices) };
  });
  const isAlike = counts.every(({ windows, all }) => windows === all);
  return {
    all: range(counts.map(({ all }) => all)),
    withWindows: isAlike || windows.length === 0
      ? null
      : range(counts.map(({ windows }) => windows)),
  };
}

/** Formats a range of numbers: `6`, or `6 to 12`. */
function range(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(0, ...numbers)];
  return least < most ? `${least} to ${most}` : String(most);
}

/** Returns the number of rounds: `8 rounds`, or `8 rounds (windows in 3)`. */
function roundsOf(report: Report): string {
  const { all, withWindows } = countRounds(report);
  return inRounds(all) + (withWindows === null ? "" : ` (windows in ${withWindows})`);
}

/** Returns the number of rounds, and the lengths of their windows and slices. */
function lengthsOf(report: Report): string[] {
  const { trialResults, blocks, experiment: { load, design } } = report;
  const { all, withWindows } = countRounds(report);
  const windows = load.requests === null ? `${load.durationS} s` : `${load.requests} requests`;
  if (design.slices === null || blocks.length === 0) {
    return trialResults.length === 0 ? [] : [`${inRounds(all)} of ${windows}`];
  }
  const { durationS, sliceMs } = design.slices;
  const slices = `${roughly(durationS)} s in slices of ${sliceMs} ms`;
  if (trialResults.length === 0) return [`${inRounds(all)} of ${slices}`];
  return [
    withWindows === null
      ? `${inRounds(all)} of ${windows} and of ${slices}`
      : `${inRounds(all)} of ${slices} (windows of ${windows} in ${withWindows})`,
  ];
}

function inRounds(number: string): string {
  return `${number} round${number === "1" ? "" : "s"}`;
}
