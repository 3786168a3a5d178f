import type { ArmRecord } from "../model/experiment.ts";
import type { Report } from "../model/report.ts";
import { count, duration, gibibytes, roughly, share } from "./format.ts";
import { taskOf } from "../analysis/tasks.ts";

/** How the figures came about, as far as it fits a line, and what may blur them. */
export function briefConditions(report: Report): string[] {
  if (report.distributed !== null) return [];
  const { host, complete, cells, generators, tookS } = report;
  const doubtful = host.findings.filter(({ status }) => status === "warn").map(({ name }) => name);
  const takers = generators.filter(({ id }) => !chosen(report).includes(id)).map(({ id }) => id);
  const isTaken = cells.some(({ isTakenOver }) => isTakenOver) && takers.length > 0;
  const drivers = isTaken
    ? `${chosen(report).join(", ")} (†: ${takers.join(", ")})`
    : driversOf(report).join(", ");
  const parts = [
    ...(complete ? [] : ["interrupted"]),
    ...(cells.length === 0 ? slices(report) : [`${rounds(report)} in ${duration(tookS)}`]),
    connectionsOf(report),
    ...(generators.length === 0 ? [] : [drivers]),
  ];
  return [
    parts.join(", "),
    ...(doubtful.length === 0
      ? []
      : [`! ${doubtful.join(", ")}: may blur figures here; see bench doctor`]),
  ];
}

/** The load generators that drove windows, since some scenarios take another one; all if none did. */
function driversOf({ generators, results }: Report): string[] {
  const used = results.filter(({ trial }) => trial.purpose === "measure")
    .map(({ trial }) => trial.generator);
  const ids = generators.map(({ id }) => id);
  return used.length === 0 ? ids : ids.filter((id) => used.includes(id));
}

/** The load generators that the arms were to be driven by. */
function chosen({ experiment: { arms } }: Report): string[] {
  return [...new Set(arms.map(({ generator }) => generator))];
}

/** How the figures came about, in a few lines. */
export function conditions(report: Report): string[] {
  // What several other machines did is told beside their figures
  if (report.distributed !== null) return [];
  const { experiment, pinning, generators, versions, host, database, results, complete } = report;
  const { durationS, requests, shards } = experiment.load;
  const workers = commonWorkers(experiment.arms);
  const parts = [
    connectionsOf(report),
    ...(complete ? [] : ["interrupted"]),
    ...(results.length === 0 ? [] : [
      `${rounds(report)} of ${requests === null ? `${durationS} s` : `${requests} requests`}`,
    ]),
    ...slices(report),
    warmups(report),
    ...(generators.length === 0 ? [] : [
      generators.map(({ id, version }) => `${id} ${version}`).join(", ") +
      (shards > 1 ? ` with ${shards} shards` : ""),
    ]),
    pinning === null ? "not pinned" : "pinned",
    ...(workers > 1 ? [`${workers} workers of servers that can be told`] : []),
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

/** How many connections there were, and of which scenarios others. */
function connectionsOf(report: Report): string {
  const { tls } = report.experiment.load;
  const over = tls === null ? "" : tls === "h2" ? " of HTTP/2 over TLS" : " over TLS";
  return numbersOf(report) + over;
}

function numbersOf({ results, experiment: { load } }: Report): string {
  const { connections, defaultConnections } = load;
  if (connections !== null) {
    return `${connections.join(", ")} connection${connections.join() === "1" ? "" : "s"}`;
  }
  const loads = new Map(
    results.filter(({ trial }) => trial.purpose === "measure")
      .map(({ trial }) => [trial.scenario, trial.load]),
  );
  const others = [...loads].filter(([, own]) => own.connections !== defaultConnections)
    .map(([scenario, own]) => `${scenario}: ${own.connections}`).sort();
  return count(defaultConnections, "connection") + listed(others);
}

/** How many workers every server is told to use; 1 if they are told different numbers, or none. */
function commonWorkers(arms: readonly ArmRecord[]): number {
  const [workers = "1", ...others] = new Set(arms.map(({ env }) => env.WORKERS));
  return others.length === 0 ? Number(workers) : 1;
}

/** The warm-up, and of which scenarios and servers it was another. */
function warmups({ experiment: { load }, results, blocks }: Report): string {
  const usual = load.warmupS ?? load.defaultWarmupS;
  const windows = results.filter(({ trial }) => trial.purpose === "measure")
    .map(({ trial: { arm, scenario, load: { warmupS } } }) => ({ scenario, arms: [arm], warmupS }));
  // Slices of servers that had windows just before are warm already
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
  // A server that has only such scenarios needs nothing of its own.
  const servers = [...own(({ arms }) => arms)].filter(([, warmupS]) =>
    ![...scenarios.values()].includes(warmupS)
  );
  const texts = [...scenarios, ...servers].map(([name, warmupS]) => `${name}: ${warmupS}`);
  return `${usual} s of warm-up${listed(texts.sort())}`;
}

function listed(texts: readonly string[]): string {
  return texts.length > 0 ? ` (${texts.join(", ")})` : "";
}

function rounds({ cells, experiment: { design } }: Report): string {
  const most = Math.max(0, ...cells.map(({ rounds, failedRounds }) => rounds + failedRounds));
  return most > design.rounds ? `${design.rounds} to ${most} rounds` : count(most, "round");
}

/** How often slices were measured, and how long each was. */
function slices({ blocks, experiment: { design } }: Report): string[] {
  const own = blocks.map(({ block }) => block).filter(({ purpose }) => purpose === "measure");
  if (design.slices === null || own.length === 0) return [];
  const tasks = Map.groupBy(own, (block) => JSON.stringify(taskOf(block)));
  const lengths = [...tasks.values()].map(({ length }) => length);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const { durationS, sliceMs } = design.slices;
  const rounds = least < most ? `${least} to ${most} rounds` : count(most, "round");
  return [`${rounds} of ${roughly(durationS)} s in slices of ${sliceMs} ms`];
}
