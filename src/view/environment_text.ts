/** Describes how a report was measured: load, rounds, load generators and machine. */
import { calmSlices } from "../analysis/calm_slices.ts";
import { byWorkload, isSameWorkload, workloadOf } from "../analysis/keys.ts";
import type { Result } from "../model/derived.ts";
import { type MedianWithInterval, type RelativeFigure, relativeWidth } from "../model/estimate.ts";
import type { Trial } from "../model/experiment.ts";
import type { AnyReport, Report } from "../model/report.ts";
import { count, gibibytes, nonEmpty, share } from "../model/text.ts";
import { median } from "../stats/median.ts";
import { distinct, duration, minute, roughly, span } from "./format.ts";
import { quoted } from "./reproduce.ts";
import { enumerated } from "./titles.ts";

/** Returns rounds, connections and generators in a line; doubtful findings in a second line. */
export function briefEnvironment(report: Report): string[] {
  const { host, complete, results, generators, trialResults, tookS } = report;
  const doubtful = host.findings.filter(({ status }) => status === "warn").map(({ name }) => name);
  // Chosen for the variants before the first round
  const chosen = distinct(report.experiment.variants.map(({ generator }) => generator));
  const ids = generators.map(({ id }) => id);
  const takers = ids.filter((id) => !chosen.includes(id));
  const isTaken = results.some(({ isTakenOver }) => isTakenOver) && takers.length > 0;
  const driving = measured(trialResults).map(({ generator }) => generator);
  const used = driving.length === 0 ? ids : ids.filter((id) => driving.includes(id));
  const { all, withWindows } = countRounds(report);
  const parts = nonEmpty(
    !complete && "interrupted",
    results.length === 0
      ? lengthsOf(report)
      : `${all}${withWindows === null ? "" : ` (windows in ${withWindows})`} in ${duration(tookS)}`,
    connectionsOf(report),
    isTaken ? `${chosen.join(", ")} (†: ${takers.join(", ")})` : used.join(", "),
  );
  return nonEmpty(
    parts.join(", "),
    doubtful.length > 0 &&
      `! ${doubtful.join(", ")} may blur figures: ${quoted([...report.program, "doctor"])}`,
  );
}

function measured(trialResults: Report["trialResults"]): Trial[] {
  return trialResults.map(({ trial }) => trial).filter(({ purpose }) => purpose === "measure");
}

/** Returns the load, the rounds, the machine and the doctor's warnings, in a few lines. */
export function environment(report: Report): string[] {
  const { experiment, pinning, generators, versions, host, database, complete } = report;
  const { load: { shards }, variants, design: { seed } } = experiment;
  const [workers = "1", ...otherWorkers] = new Set(variants.map(({ env }) => env.WORKERS));
  const isSet = otherWorkers.length === 0 && Number(workers) > 1;
  const tools = generators.map(({ id, version }) => `${id} ${version}`).join(", ");
  const warnings = host.findings.filter(({ status }) => status === "warn");
  // A damaged report may have impossible times, and costs are not timed
  const part = report.measuredS / report.tookS;
  const measured = part > 0 && part <= 1 ? `, ${share(part)} of it measured` : "";
  const parts = report.parts.length === 0
    ? ""
    : ` in ${report.parts.length} parts (from ${
      enumerated(report.parts.map(({ createdAt }) => minute(createdAt)))
    })`;
  return [
    nonEmpty(
      connectionsOf(report),
      !complete && "interrupted",
      lengthsOf(report),
      warmups(report),
      tools !== "" && `${tools}${shards > 1 ? ` with ${shards} shards` : ""}`,
      pinning === null ? "not pinned" : "pinned",
      isSet && `${Number(workers)} workers per server, if its manifest can set them`,
      `seed ${seed}`,
    ).join(", "),
    nonEmpty(
      `Deno ${versions.deno}`,
      database !== null && `PostgreSQL ${versions.postgresql}`,
      `${host.os} ${host.kernel}`,
      `${host.cores} x ${host.cpuModel}`,
      gibibytes(host.memoryBytes),
    ).join(", "),
    `took ${duration(report.tookS)}${parts}${measured}`,
    ...precision(report),
    ...warnings.map(({ name, found }) => `! ${name}: ${found}`),
  ];
}

/** Minimum number of intervals for a median of them. */
const FEWEST_INTERVALS = 5;

/**
 * Returns the median half interval of each main figure that most results have, and the share of slices that do
 * not count.
 */
function precision({ results, blocks }: Report): string[] {
  const relative = (figure: RelativeFigure | null): MedianWithInterval | null =>
    figure && { ...figure, median: figure.ratio };
  const figures:
    readonly (readonly [name: string, of: (r: Result) => MedianWithInterval | null])[] = [
      ["Req/Sec", ({ requestsPerS }) => requestsPerS],
      ["Rel. rate", ({ relativeRate }) => relative(relativeRate)],
      ["Rel. CPU", ({ relativeCpu }) => relative(relativeCpu)],
    ];
  const valid = results.filter(({ status }) => status === "ok");
  const texts = figures.flatMap(([name, of]) => {
    const widths = valid.flatMap((result) => relativeWidth(of(result)) ?? []);
    const isSummary = widths.length >= Math.max(FEWEST_INTERVALS, valid.length / 2);
    return isSummary ? `${name} ${share(median(widths))}` : [];
  });
  const { distant, passes, unusual, near } = calmSlices(blocks);
  return nonEmpty(
    texts.length > 0 && `median half interval: ${texts.join(", ")}`,
    distant > 0 && `distant processors in ${share(distant / passes)} of the passes`,
    unusual > 0 && `unusual CPU time of the reference in ${unusual} of ${near} near blocks`,
  );
}

/** A program of a run. `servers` is empty if the run itself used it. */
interface Program {
  readonly name: string;
  readonly version: string;
  readonly servers: readonly string[];
}

/** Returns the programs of a report. Servers with the same version of a program share an entry. */
export function programsOf({ versions }: Pick<AnyReport, "versions">): Program[] {
  const used = Object.entries(versions).map(([key, version]): Program => {
    const [server = "", name] = key.split(": "); // as `fastify: Node.js`
    const isOfServer = name !== undefined;
    return { name: isOfServer ? name : key, version, servers: isOfServer ? [server] : [] };
  });
  const groups = Map.groupBy(used, ({ name, version }) => `${name} ${version}`);
  return [...groups.values()].map((group) => ({
    ...group[0] as Program,
    servers: group.flatMap(({ servers }) => servers),
  }));
}

function connectionsOf({ trialResults, experiment: { load } }: Report): string {
  const { connections, defaultConnections, tls } = load;
  const over = tls === null ? "" : tls === "h2" ? " with HTTP/2 over TLS" : " with TLS";
  if (connections !== null) {
    return `${connections.join(", ")} connection${connections.join() === "1" ? "" : "s"}${over}`;
  }
  const loads = new Map(measured(trialResults).map(({ scenario, load }) => [scenario, load]));
  const others = [...loads].filter(([, own]) => own.connections !== defaultConnections)
    .map(([scenario, own]) => `${scenario}: ${own.connections}`);
  return count(defaultConnections, "connection") + listed(others) + over;
}

function warmups({ experiment: { load }, trialResults, blocks }: Report): string {
  const usual = load.warmupS ?? load.defaultWarmupS;
  const windows = measured(trialResults)
    .map(({ variant, scenario, load: { warmupS } }) => ({ variant, scenario, warmupS }));
  // Windows of the same scenario have already warmed up the servers of slices
  const slices = blocks.map(({ block }) => block)
    .filter(({ scenario }) => !windows.some((window) => window.scenario === scenario))
    .flatMap(({ variants, ...rest }) => variants.map((variant) => ({ ...rest, variant })));
  const unusual = (name: "scenario" | "variant"): (readonly [name: string, warmupS: number])[] =>
    [...Map.groupBy([...windows, ...slices], (one) => one[name])]
      .map(([name, own]) => [name, Math.min(...own.map(({ warmupS }) => warmupS))] as const)
      .filter(([, warmupS]) => warmupS !== usual);
  const scenarios = unusual("scenario");
  // The entry of the scenario already explains the warm-up of these servers
  const servers = unusual("variant").filter(([, warmupS]) =>
    !scenarios.some(([, explained]) => explained === warmupS)
  );
  const texts = [...scenarios, ...servers].map(([name, warmupS]) => `${name}: ${warmupS}`);
  return `${usual} s of warm-up${listed(texts)}`;
}

function listed(texts: readonly string[]): string {
  return texts.length > 0 ? ` (${texts.toSorted().join(", ")})` : "";
}

/** Returns the number of rounds; `withWindows` is null if all of them have windows, or none. */
function countRounds(
  { results, blocks, trialResults }: Report,
): { readonly all: string; readonly withWindows: string | null } {
  const sliced = blocks.map(({ block }) => block).filter(({ purpose }) => purpose === "measure");
  // Without trial results, all figures come from slices
  const windows = trialResults.length === 0 ? [] : results;
  const counts = byWorkload([...windows, ...sliced].map(workloadOf)).map(([workload]) => {
    const own = windows.filter((result) => isSameWorkload(result, workload));
    const most = Math.max(0, ...own.map(({ rounds, failedRounds }) => rounds + failedRounds));
    const slices = sliced.filter((block) => isSameWorkload(block, workload)).length;
    return { windows: most, all: Math.max(most, slices) };
  });
  const all = counts.length === 0 ? "0" : span(counts.map(({ all }) => all), String);
  const isAlike = windows.length === 0 || counts.every(({ windows, all }) => windows === all);
  return {
    all: `${all} round${all === "1" ? "" : "s"}`,
    withWindows: isAlike ? null : span(counts.map(({ windows }) => windows), String),
  };
}

function lengthsOf(report: Report): string {
  const { trialResults, blocks, experiment: { load, design } } = report;
  const { all, withWindows } = countRounds(report);
  const length = load.requests === null ? `${load.durationS} s` : `${load.requests} requests`;
  const windows = trialResults.length > 0 && length;
  const slices = design.slices !== null && blocks.length > 0 &&
    `${roughly(design.slices.durationS)} s in slices of ${design.slices.sliceMs} ms`;
  if (windows && slices && withWindows !== null) {
    return `${all} of ${slices} (windows of ${windows} in ${withWindows})`;
  }
  const parts = nonEmpty(windows, slices);
  return parts.length === 0 ? "" : `${all} of ${parts.join(" and of ")}`;
}
