import { isSameResult, isSameWorkload, resultKeyOf, workloadOf } from "../analysis/keys.ts";
import { blockRatios } from "../analysis/slice_ratios.ts";
import { isClimbingWindow } from "../analysis/histories.ts";
import type { ComponentEvidence, Estimate, Result } from "../model/derived.ts";
import { FIGURES } from "../model/figures.ts";
import type { Report } from "../model/report.ts";
import type { TrialResult, WindowRecord } from "../model/raw.ts";
import { count, fixed, share, UNKNOWN } from "../model/text.ts";
import { mebibytes, microseconds, milliseconds, rate } from "./format.ts";
import { latencyLines } from "./latencies.ts";
import { profileLines } from "./profiles_text.ts";
import { describeReason, describeStatus } from "./reasons.ts";

const LABEL_WIDTH = 12;
/** Width of the indent and the label before the text in a line of evidence, in columns. */
export const EVIDENCE_INDENT = 2 + LABEL_WIDTH;

/**
 * Returns the evidence behind the figures of these scenarios, result by result.
 *
 * @param withCurves whether to include latencies, rates per quarter of a second, and profiles. HTML
 *   pages draw these instead.
 */
export function explain(
  report: Report,
  scenarios: readonly string[],
  withCurves = true,
): string[] {
  return report.results.filter(({ scenario }) => scenarios.includes(scenario))
    .flatMap((result) => [...explainResult(result, report, withCurves), ""]);
}

function explainResult(result: Result, report: Report, withCurves: boolean): string[] {
  const { trialResults, comparisons } = report;
  const { scenario, variant, connections, bottleneck } = result;
  const own = trialResults.filter(({ trial }) =>
    trial.purpose === "measure" && isSameResult(resultKeyOf(trial), result)
  );
  const windows = own.flatMap(({ window }) => window ?? []);
  const outcome = bottleneck?.kind ?? describeStatus(result);
  const heading = `${scenario} of ${variant}, ${count(connections, "connection")}: ${outcome}`;
  const pairs = comparisons.filter((pair) => pair.a === variant && isSameWorkload(pair, result));
  return [
    heading,
    ...lines("why", bottleneck?.reasons.map(describeReason) ?? []),
    ...lines("Req/Sec", [
      ...estimate(result.requestsPerS, rate),
      ...(result.requestsPerS === null || !withCurves ? [] : perRound(own)),
    ]),
    ...lines("warm-up", warmup(windows)),
    ...lines("latency", latencies(result, report, withCurves)),
    ...lines("CPU/req", [
      ...estimate(result.serverCpuUs, microseconds),
      ...(result.serverCpuUs === null || result.systemShare === null
        ? []
        : [`${share(result.systemShare)} of it in the kernel`]),
    ]),
    ...lines("rel. CPU", relativeCpu(result, report)),
    ...lines("server", [
      ...component(bottleneck?.evidence.server),
      `memory ${mebibytes(result.idleRssBytes)} before the load, ${
        mebibytes(result.peakRssBytes)
      } at its peak`,
    ]),
    ...lines("PostgreSQL", [
      ...component(bottleneck?.evidence.database),
      ...statements(result, windows),
    ]),
    ...lines("generator", [
      ...component(bottleneck?.evidence.generator),
      ...ceiling(result),
      `checked ${bodies(result)}; ${traffic(windows)}`,
    ]),
    ...lines("machine", machine(result)),
    ...lines("probe", probe(result)),
    ...lines("profile", withCurves ? profileLines(report, result) : []),
    ...lines("compared", comparisonLines(pairs)),
  ];
}

function latencies(result: Result, report: Report, withCurves: boolean): string[] {
  if (result.latencyAbsence !== null) return [`withheld: ${describeReason(result.latencyAbsence)}`];
  return withCurves && result.status === "ok" ? latencyLines(report, result) : [];
}

function lines(label: string, texts: readonly string[]): string[] {
  return texts.map((text, i) => `  ${(i === 0 ? label : "").padEnd(LABEL_WIDTH)}${text}`);
}

function estimate(figure: Estimate | null, format: (value: number) => string): string[] {
  if (figure === null) return [];
  const { median, confidenceInterval, cv, mad, outlierRounds, minimumDetectableChange } = figure;
  const range = confidenceInterval === null
    ? "too few rounds for a CI"
    : `${format(confidenceInterval.low)} to ${format(confidenceInterval.high)} (${
      share(confidenceInterval.coverage)
    } CI)`;
  return [
    `median ${format(median)}, ${range}`,
    `median absolute deviation ${format(mad)}, coefficient of variation ${
      cv === null ? UNKNOWN : share(cv)
    }${outlierRounds.length > 0 ? `; outliers: round ${outlierRounds.join(", ")}` : ""}`,
    ...(minimumDetectableChange === null
      ? []
      : [`minimum detectable change between two such runs: ${share(minimumDetectableChange)}`]),
  ];
}

/** Returns the relative CPU time over all rounds and in each round. */
function relativeCpu(
  { relativeCpu, variant, ...result }: Result,
  { blocks, experiment: { reference } }: Report,
): string[] {
  if (relativeCpu === null || reference === null) return [];
  const pair = {
    ...workloadOf(result),
    a: variant,
    b: reference.id,
    metric: "serverCpuUs",
  } as const;
  const { ratio, confidenceInterval } = relativeCpu;
  return [
    `${fixed(ratio, 3)} x the CPU time of ${reference.label}, ${
      confidenceInterval === null
        ? "too few rounds for a CI"
        : `${fixed(confidenceInterval.low, 3)} to ${fixed(confidenceInterval.high, 3)} (${
          share(confidenceInterval.coverage)
        } CI)`
    }`,
    `round by round: ${blockRatios(blocks, pair).map((one) => fixed(one, 3)).join(" ")}`,
  ];
}

function perRound(trialResults: readonly TrialResult[]): string[] {
  const rates = trialResults.flatMap(({ window }) =>
    window?.measurement.slicesPerS.length ? [window.measurement.slicesPerS] : []
  );
  if (rates.length === 0) return [];
  return [`per quarter of a second, round by round: ${rates.map((r) => r.join(" ")).join(" | ")}`];
}

/** Returns the lengths of warm-ups, and the number of windows that began before the rate was level. */
function warmup(windows: readonly WindowRecord[]): string[] {
  const known = windows.flatMap(({ measurement }) => measurement.warmup ?? []);
  if (known.length === 0) return [];
  const looked = known.filter(({ isSteady }) => isSteady !== null);
  const steady = looked.filter(({ isSteady }) => isSteady).length;
  const seconds = known.map(({ tookS }) => tookS);
  const climbing = windows.filter(isClimbingWindow).length;
  return [
    `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s${
      looked.length === 0
        ? ", of a fixed length"
        : `, until the rate was level in ${steady} of ${count(looked.length, "window")}`
    }; the rate still rose in ${count(climbing, "window")}`,
  ];
}

function component(evidence: ComponentEvidence | null | undefined): string[] {
  if (!evidence) return [];
  const { cores, wantedCores, busiestThread, runQueueWait } = evidence;
  return [
    `${fixed(cores, 2)} cores, ${
      wantedCores === null ? UNKNOWN : fixed(wantedCores, 2)
    } without waiting for a CPU; busiest thread: ${known(busiestThread)} running, ${
      known(runQueueWait)
    } waiting for a CPU`,
  ];
}

function statements({ statementsPerResponse }: Result, windows: readonly WindowRecord[]): string[] {
  if (statementsPerResponse === null) return ["statements not counted"];
  const most = windows[0]?.database?.statements[0];
  return [
    `${fixed(statementsPerResponse, 4)} statements per response, warm-up included${
      most ? `: ${most.query.replace(/\s+/g, " ").slice(0, 60)}` : ""
    }`,
  ];
}

function ceiling({ bottleneck, requestsPerS }: Result): string[] {
  const { ceilingPerS = null, isCeilingReached, scaleGain = null, connectionsGain = null } =
    bottleneck?.evidence ?? {};
  const bound = isCeilingReached ? "" : "at least ";
  return [
    ...(ceilingPerS === null || requestsPerS === null ? [] : [
      `ceiling against canned bytes: ${bound}${rate(ceilingPerS)} req/s, ${
        fixed(ceilingPerS / requestsPerS.median, 2)
      } x this rate`,
    ]),
    ...(scaleGain === null ? [] : [`doubling the shards changed the rate by ${share(scaleGain)}`]),
    ...(connectionsGain === null
      ? []
      : [`doubling the connections changed the rate by ${share(connectionsGain)}`]),
  ];
}

function bodies({ checkedBodies, responses }: Result): string {
  const [looked, all] = [checkedBodies, responses].map((count) => count.toLocaleString("en-US"));
  return looked === all ? `all ${all} bodies` : `${looked} bodies of ${all} responses`;
}

function traffic(windows: readonly WindowRecord[]): string {
  const sum = (value: (window: WindowRecord) => number | null): number | null =>
    windows.reduce<number | null>((total, window) => {
      const one = value(window);
      return total === null || one === null ? null : total + one;
    }, 0);
  const opened = sum(({ measurement }) => measurement.connectionsOpened);
  const received = mebibytes(sum(({ measurement }) => measurement.bytes));
  const connections = opened === null ? "" : `, ${count(opened, "connection")} opened in a window`;
  return `${received} received${connections}`;
}

function machine({ bottleneck }: Result): string[] {
  const { machine = null, little = null } = bottleneck?.evidence ?? {};
  return [
    ...(machine === null ? [] : [
      `${share(machine.idle)} idle, ${share(machine.steal)} stolen by the host, ${
        fixed(machine.otherCores, 2)
      } cores used by other programs and Stampede itself`,
    ]),
    ...(little === null ? [] : [
      `Little's law: ${share(little)} of the connections had a request in flight`,
    ]),
  ];
}

function probe({ probe, probeAbsence, requestsPerS }: Result): string[] {
  if (probe === null) {
    return [
      `none: ${
        probeAbsence === null ? "nothing was measured" : describeReason(probeAbsence)
      }; the generator checks bodies`,
    ];
  }
  const { responses, perS, p50Us, p99Us, sendLatenessP99Us, detects } = probe;
  const ofAll = requestsPerS === null ? "" : `, ${share(perS / requestsPerS.median)} of the rate`;
  return [
    `verified ${responses.toLocaleString("en-US")} whole responses, ${
      fixed(perS, 0)
    } per second${ofAll}`,
    `detects wrong responses with 95 % probability if at least ${share(detects)} of all are wrong`,
    `response time from the scheduled send time: p50 ${milliseconds(p50Us)}, p99 ${
      milliseconds(p99Us)
    }; the probe itself sent up to ${milliseconds(sendLatenessP99Us)} late (p99)`,
  ];
}

function comparisonLines(pairs: Report["comparisons"]): string[] {
  return [...Map.groupBy(pairs, ({ metric }) => metric)].flatMap(([metric, own]) => [
    `${FIGURES[metric].column.heading} in multiples of other servers (95 % CI):`,
    ...own.map(({ b, ratio, confidenceInterval }) => {
      const range = confidenceInterval === null
        ? "too few rounds for a CI"
        : `${fixed(confidenceInterval.low, 3)} to ${fixed(confidenceInterval.high, 3)}`;
      return `${b}: ${fixed(ratio, 3)} x (${range})`;
    }),
  ]);
}

function known(value: number | null): string {
  return value === null ? UNKNOWN : share(value);
}
