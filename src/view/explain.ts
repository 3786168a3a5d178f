/** The evidence behind the figures of results, CPU profiles included, as text. */
import { calmSlices } from "../analysis/calm_slices.ts";
import { isClimbingWindow } from "../analysis/climbing.ts";
import { isSameResult, isSameWorkload, resultKeyOf, workloadOf } from "../analysis/keys.ts";
import { hotFunctions, inCallsOf, usPerResponse } from "../analysis/profiles.ts";
import { blockRatios } from "../analysis/slice_ratios.ts";
import type { ComponentEvidence, Estimate, Result, ResultKey } from "../model/derived.ts";
import { FIGURES } from "../model/figures.ts";
import type { Frame, Profile } from "../model/profile.ts";
import type { WindowRecord } from "../model/raw.ts";
import type { Report } from "../model/report.ts";
import { count, fixed, nonEmpty, share } from "../model/text.ts";
import { merge } from "../stats/histogram.ts";
import { sum } from "../stats/median.ts";
import { mebibytes, microseconds, milliseconds, range, rate, roughly } from "./format.ts";
import { describeReason, describeStatus, withReason } from "./reasons.ts";

const LABEL_WIDTH = 12;
/** Width of the indent and the label before the text in a line of evidence, in columns. */
export const EVIDENCE_INDENT = 2 + LABEL_WIDTH;

/** Returns the evidence for these scenarios, result by result. Pages draw the curves instead. */
export function explain(report: Report, scenarios: readonly string[], withCurves = true): string[] {
  return report.results.filter(({ scenario }) => scenarios.includes(scenario))
    .flatMap((result) => [...explainResult(result, report, withCurves), ""]);
}

function explainResult(result: Result, report: Report, withCurves: boolean): string[] {
  const { scenario, variant, connections, status, bottleneck } = result;
  const { requestsPerS, serverCpuUs, systemShare, latencyAbsence } = result;
  const { server, database, generator, isCeilingReached, ceilingPerS = null } =
    bottleneck?.evidence ?? {};
  const { scaleGain = null, connectionsGain = null, machine = null, little = null } =
    bottleneck?.evidence ?? {};
  const windows = windowsOf(result, report);
  const rates = nonEmpty(...windows.map(({ measurement }) => measurement.slicesPerS.join(" ")));
  const latencies = withCurves && status === "ok" ? latencyLines(report, result) : [];
  const least = isCeilingReached ? "" : "at least ";
  const [idle, peak] = [result.idleRssBytes, result.peakRssBytes].map(mebibytes);
  const [looked, all] = [result.checkedBodies, result.responses]
    .map((count) => count.toLocaleString("en-US"));
  const bodies = looked === all ? `all ${all} bodies` : `${looked} bodies of ${all} responses`;
  const sections: Readonly<Record<string, readonly string[]>> = {
    "why": bottleneck?.reasons.map(describeReason) ?? [],
    "Req/Sec": nonEmpty(
      ...estimate(requestsPerS, rate),
      requestsPerS !== null && withCurves && rates.length > 0 &&
        `per quarter of a second, round by round: ${rates.join(" | ")}`,
    ),
    "warm-up": warmup(windows),
    "latency": latencyAbsence ? [`withheld: ${describeReason(latencyAbsence)}`] : latencies,
    "CPU/req": nonEmpty(
      ...estimate(serverCpuUs, microseconds),
      serverCpuUs !== null && systemShare !== null && `${share(systemShare)} of it in the kernel`,
    ),
    "rel. CPU": relativeCpu(result, report),
    "server": nonEmpty(component(server), `memory ${idle} before the load, ${peak} at its peak`),
    "PostgreSQL": nonEmpty(component(database), statements(result, windows)),
    "generator": nonEmpty(
      component(generator),
      ceilingPerS !== null && requestsPerS !== null &&
        `ceiling against canned bytes: ${least}${rate(ceilingPerS)} req/s, ` +
          `${fixed(ceilingPerS / requestsPerS.median, 2)} x this rate`,
      scaleGain !== null && `doubling the shards changed the rate by ${share(scaleGain)}`,
      connectionsGain !== null &&
        `doubling the connections changed the rate by ${share(connectionsGain)}`,
      `checked ${bodies}; ${traffic(windows)}`,
    ),
    "machine": nonEmpty(
      machine &&
        `${share(machine.idle)} idle, ${share(machine.steal)} stolen by the host, ` +
          `${fixed(machine.otherCores, 2)} cores used by other programs and Stampede itself`,
      little !== null &&
        `Little's law: ${share(little)} of the connections had a request in flight`,
      distances(report),
      unusualBlocks(report),
    ),
    "probe": probe(result),
    "profile": withCurves ? profileLines(report, result) : [],
    "compared": comparisons(result, report),
  };
  const outcome = bottleneck?.kind ?? describeStatus(result);
  return [
    `${scenario} of ${variant}, ${count(connections, "connection")}: ${outcome}`,
    ...Object.entries(sections).flatMap(([label, texts]) =>
      texts.map((text, i) => `  ${(i === 0 ? label : "").padEnd(LABEL_WIDTH)}${text}`)
    ),
  ];
}

/** Returns the measured windows of a result, in the order of the rounds. */
export function windowsOf(result: Result, { trialResults }: Report): WindowRecord[] {
  return trialResults.flatMap(({ trial, window }) =>
    trial.purpose === "measure" && isSameResult(resultKeyOf(trial), result) ? window ?? [] : []
  );
}

function estimate(figure: Estimate | null, format: (value: number) => string): string[] {
  if (figure === null) return [];
  const { median, confidenceInterval, cv, mad, outlierRounds, minimumDetectableChange } = figure;
  const variation = share(cv ?? NaN);
  const outliers = outlierRounds.length > 0 ? `; outliers: round ${outlierRounds.join(", ")}` : "";
  return nonEmpty(
    `median ${format(median)}, ${intervalOf(confidenceInterval, format)}`,
    `median absolute deviation ${format(mad)}, coefficient of variation ${variation}${outliers}`,
    minimumDetectableChange !== null &&
      `minimum detectable change between two such runs: ${share(minimumDetectableChange)}`,
  );
}

function intervalOf(
  interval: Estimate["confidenceInterval"],
  format: (value: number) => string,
): string {
  if (interval === null) return "too few rounds for a CI";
  return `${range(interval, format)} (${share(interval.coverage)} CI)`;
}

function relativeCpu(
  { relativeCpu, variant, ...result }: Result,
  { blocks, experiment: { reference } }: Report,
): string[] {
  if (relativeCpu === null || reference === null) return [];
  const times = (value: number): string => fixed(value, 3);
  const interval = intervalOf(relativeCpu.confidenceInterval, times);
  const pair = { a: variant, b: reference.id, metric: "serverCpuUs" } as const;
  const ratios = blockRatios(calmSlices(blocks).blocks, { ...workloadOf(result), ...pair });
  return [
    `${times(relativeCpu.ratio)} x the CPU time of ${reference.label}, ${interval}`,
    `round by round: ${ratios.map(times).join(" ")}`,
  ];
}

/** Describes the distance of the processors in all slices of a run; null if it is unknown. */
function distances({ blocks }: Report): string | null {
  const { nearNs, distantNs, distant, passes } = calmSlices(blocks);
  if (nearNs === null) return null;
  const ns = (value: number): string => `${Math.round(value)} ns`;
  const roundTrip = `round trip between the processors, in all slices of the run: ${ns(nearNs)}`;
  return distantNs === null
    ? roundTrip
    : `${roundTrip}; ${ns(distantNs)} in ${distant} of ${passes} passes`;
}

/** Describes how often the reference needed an unusual CPU time; null if it never did. */
function unusualBlocks({ blocks }: Report): string | null {
  const { near, unusual } = calmSlices(blocks);
  return unusual === 0
    ? null
    : `unusual CPU time of the reference: in ${unusual} of ${near} near blocks of the run`;
}

function warmup(windows: readonly WindowRecord[]): string[] {
  const known = windows.flatMap(({ measurement }) => measurement.warmup ?? []);
  if (known.length === 0) return [];
  const looked = known.filter(({ isSteady }) => isSteady !== null);
  const steady = looked.filter(({ isSteady }) => isSteady).length;
  const seconds = known.map(({ tookS }) => tookS);
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)].map((end) => end.toFixed(1));
  const until = looked.length === 0
    ? "of a fixed length"
    : `until the rate was level in ${steady} of ${count(looked.length, "window")}`;
  const climbing = count(windows.filter(isClimbingWindow).length, "window");
  return [`${least} to ${most} s, ${until}; the rate still rose in ${climbing}`];
}

function component(evidence: ComponentEvidence | null | undefined): string | null {
  if (!evidence) return null;
  const { cores, wantedCores, busiestThread, runQueueWait } = evidence;
  const [used, wanted] = [cores, wantedCores ?? NaN].map((number) => fixed(number, 2));
  const [ran, waited] = [busiestThread, runQueueWait].map((part) => share(part ?? NaN));
  return `${used} cores, ${wanted} without waiting for a CPU; busiest thread: ${ran} running, ${waited} waiting for a CPU`;
}

function statements({ statementsPerResponse }: Result, windows: readonly WindowRecord[]): string {
  if (statementsPerResponse === null) return "statements not counted";
  const most = windows[0]?.database?.statements[0];
  const query = most ? `: ${most.query.replace(/\s+/g, " ").slice(0, 60)}` : "";
  return `${fixed(statementsPerResponse, 4)} statements per response, warm-up included${query}`;
}

function traffic(windows: readonly WindowRecord[]): string {
  const total = (of: "bytes" | "connectionsOpened"): number | null => {
    const values = windows.flatMap(({ measurement }) => measurement[of] ?? []);
    return values.length < windows.length ? null : sum(values);
  };
  const opened = total("connectionsOpened");
  return nonEmpty(
    `${mebibytes(total("bytes"))} received`,
    opened !== null && `${count(opened, "connection")} opened during windows`,
  ).join(", ");
}

function probe({ probe, probeAbsence, requestsPerS }: Result): string[] {
  if (probe === null) {
    const why = probeAbsence === null ? "nothing was measured" : describeReason(probeAbsence);
    return [`none: ${why}; the generator checks bodies`];
  }
  const { responses, perS, p50Us, p99Us, sendLatenessP99Us, detects } = probe;
  const [p50, p99, late] = [p50Us, p99Us, sendLatenessP99Us].map(milliseconds);
  const verified = `verified ${responses.toLocaleString("en-US")} whole responses`;
  const ofAll = requestsPerS === null ? "" : `, ${share(perS / requestsPerS.median)} of the rate`;
  return [
    `${verified}, ${fixed(perS, 0)} per second${ofAll}`,
    `detects wrong responses with 95 % probability if at least ${share(detects)} of all are wrong`,
    `response time from the scheduled send time: p50 ${p50}, p99 ${p99}; the probe itself sent up to ${late} late (p99)`,
  ];
}

function comparisons(result: Result, report: Report): string[] {
  const pairs = report.comparisons.filter((pair) =>
    pair.a === result.variant && isSameWorkload(pair, result)
  );
  return [...Map.groupBy(pairs, ({ metric }) => metric)].flatMap(([metric, own]) => [
    `${FIGURES[metric].column.heading} in multiples of other servers (95 % CI):`,
    ...own.map(({ b, ratio, confidenceInterval: ends }) =>
      `${b}: ${fixed(ratio, 3)} x (${ends === null ? "too few rounds for a CI" : range(ends)})`
    ),
  ]);
}

const PERCENTILES = {
  p50: "p50Us",
  p90: "p90Us",
  p99: "p99Us",
  "p99.9": "p999Us",
  most: "maxUs",
} as const;
const LONGEST_BAR = 30;

/** Returns a line with a logarithmic bar for each percentile over all rounds, if there are any. */
export function latencyLines(report: Report, result: Result): string[] {
  const all = merge(windowsOf(result, report).map(({ measurement }) => measurement.latency));
  if (all === null) return [];
  const known = Object.entries(PERCENTILES).flatMap(([name, key]) => {
    const us = all[key];
    return us === null || us <= 0 ? [] : [{ name, us, text: milliseconds(us) }];
  });
  const [least, most] = [all.minUs ?? known[0]?.us ?? 1, known.at(-1)?.us ?? 1];
  const span = Math.log(most / Math.max(1, least));
  const width = Math.max(0, ...known.map(({ text }) => text.length));
  return known.map(({ name, us, text }) => {
    const share = span > 0 ? Math.log(us / Math.max(1, least)) / span : 0;
    const bar = "#".repeat(Math.max(0, Math.round(LONGEST_BAR * share)));
    return `${name.padEnd(5)}  ${text.padStart(width)}  ${bar}`.trimEnd();
  });
}

const HOTTEST = 5;

/** Returns a line with the profiles' files; empty without profiles. */
export function profilePlaces({ profiles }: Report): string[] {
  const [first, ...others] = profiles.flatMap(({ files }) => files);
  if (first === undefined) return [];
  if (others.length === 0) return [`The profile is next to it, for DevTools: ${first}`];
  return [`${1 + others.length} profiles are next to it, for DevTools, such as ${first}`];
}

/** Returns a warning for each server without a profile, with the reason. */
export function profileWarnings({ profiles }: Report): string[] {
  const warnings = profiles.flatMap(({ variant, scenario, reason }) => {
    if (reason === null) return [];
    const at = reason.kind === "message" ? ` at ${scenario}` : "";
    return [`No profile of ${variant}${at}: ${describeReason(reason)}.`];
  });
  return [...new Set(warnings)];
}

/** Summarises a profile: `JavaScript and its calls took 4.2 % of 3 s under load`. */
export function whereTime(profile: Profile): string {
  const { foldedStacks } = profile;
  const shares = inCallsOf(profile);
  if (shares === null || foldedStacks === null) return "";
  const { ofTime, ofRunning } = shares;
  const us = usPerResponse(profile, foldedStacks.inCalls);
  const lengthS = roughly(foldedStacks.durationS);
  const rest = "of the thread's CPU time; the runtime and the kernel took the rest";
  return nonEmpty(
    `JavaScript and its calls took ${share(ofTime)} of ${lengthS} s under load`,
    us !== null && `${microseconds(us)} per response`,
    ofRunning !== null && `about ${share(ofRunning)} ${rest}`,
  ).join(", ");
}

/** Returns the name of a function with its place: `handler server/router.ts:11`. */
export function functionName({ name, place }: Pick<Frame, "name" | "place">): string {
  return nonEmpty(name || "(anonymous)", place).join(" ");
}

function profileLines({ profiles }: Report, key: ResultKey): string[] {
  const profile = profiles.find((one) => isSameResult(one, key));
  if (profile === undefined) return [];
  const { foldedStacks, reason, threads, files } = profile;
  if (foldedStacks === null) return [withReason("none", reason && describeReason(reason))];
  return [
    whereTime(profile),
    ...hotFunctions(profile).slice(0, HOTTEST).map((one) =>
      `${share(one.self / foldedStacks.inCalls)} of that in ${functionName(one)}`
    ),
    `${count(foldedStacks.samples, "sample")} of ${count(threads, "thread")}: ${files.join(", ")}`,
  ];
}
