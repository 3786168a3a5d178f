/** Derives from the windows of a result how busy each component was. */
import type { Component, ComponentEvidence, Evidence } from "../model/derived.ts";
import type { Load } from "../model/experiment.ts";
import { requestsPerS, responsesOf } from "../model/figures.ts";
import type { TrialResult, Usage, WindowRecord } from "../model/raw.ts";
import { sum } from "../stats/median.ts";
import { typical } from "./rounds.ts";

/**
 * Share of time that decides whether a ceiling counts. The generator's busiest thread must have run for
 * at least this share, and the null server's for less.
 */
const NOT_SATURATED = 0.85;

/**
 * Maximum mean latency with which Little's law is used, as a share of the window. If responses take
 * longer, a window has too few of them on each connection.
 */
const LONG_RESPONSE = 0.1;

/** The programs that may be the bottleneck. */
export const COMPONENTS = ["server", "database", "generator"] as const;

/**
 * Returns how busy each component was during the windows of a result.
 *
 * @param cores cores of the machine; null if the cores that other programs used cannot be derived
 */
export function evidenceOf(trialResults: readonly TrialResult[], cores: number | null): Evidence {
  const known = trialResults.filter((one): one is MeasuredTrial => one.window !== null);
  const measured = known.filter(({ trial }) => trial.purpose === "measure");
  const scale = known.filter(({ trial }) => trial.purpose === "scale");
  const ceiling = measured.find(({ window }) => window.ceiling !== null)?.window.ceiling ?? null;
  const usages = measured.flatMap(({ window }) => window.usage ?? []);
  return {
    server: componentOf(usages, "server"),
    database: componentOf(usages, "database"),
    generator: componentOf(usages, "generator"),
    machine: cores === null ? null : machineOf(usages, cores),
    little: typical(measured, little),
    ceilingPerS: ceiling?.responsesPerS ?? null,
    // Otherwise the null server or the machine limited the ceiling.
    isCeilingReached: ceiling && (ceiling.nullServerBusiest ?? 1) < NOT_SATURATED &&
      (ceiling.generatorBusiest ?? 0) >= NOT_SATURATED,
    scaleGain: gainOf(scale, ({ shards }) => shards),
    connectionsGain: gainOf(scale, ({ connections }) => connections),
  };
}

type MeasuredTrial = TrialResult & { readonly window: WindowRecord };

/**
 * Returns the share of connections with a pending request, by Little's law. Null without latencies, if
 * responses are long compared with the window, or in an open loop: it opens more connections than it
 * needs.
 */
function little({ trial: { load }, window: { measurement } }: MeasuredTrial): number | null {
  const { latency, durationS } = measurement;
  const meanUs = latency?.meanUs ?? null;
  if (load.open !== null || meanUs === null || meanUs / 1e6 > LONG_RESPONSE * durationS) {
    return null;
  }
  return responsesOf(measurement) / durationS * (meanUs / 1e6) / load.connections;
}

function componentOf(usages: readonly Usage[], name: Component): ComponentEvidence | null {
  const cores = typical(usages, (usage) => coresOf(usage, name));
  if (cores === null) return null;
  return {
    cores,
    wantedCores: typical(usages, (usage) => {
      const waitedUs = usage[name]?.waitedUs ?? null;
      const used = coresOf(usage, name);
      return waitedUs === null || used === null ? null : used + waitedUs / 1e6 / usage.durationS;
    }),
    busiestThread: typical(usages, (usage) => usage[name]?.busiestThread ?? null),
    runQueueWait: typical(usages, (usage) => usage[name]?.runQueueWait ?? null),
  };
}

/** Returns medians of idle share, stolen share and cores of other programs; null if unknown. */
export function machineOf(usages: readonly Usage[], cores: number): Evidence["machine"] {
  const idle = typical(usages, ({ machine }) => machine?.idle ?? null);
  const steal = typical(usages, ({ machine }) => machine?.steal ?? null);
  if (idle === null || steal === null) return null;
  const otherCores = typical(usages, (usage) => {
    if (usage.machine === null) return null;
    const known = sum(COMPONENTS.map((name) => coresOf(usage, name) ?? 0));
    return Math.max(0, cores * (1 - usage.machine.idle - usage.machine.steal) - known);
  });
  return { idle, steal, otherCores: otherCores ?? 0 };
}

function coresOf(usage: Usage, name: Component): number | null {
  const used = usage[name];
  return used && (used.userUs + used.systemUs) / 1e6 / usage.durationS;
}

/**
 * Returns the smallest gain of a scale test over its pairs of neighbouring windows; null without such a
 * test. Rates also vary by chance, so a gain counts only if every pair shows it.
 */
function gainOf(
  trialResults: readonly MeasuredTrial[],
  amountOf: (load: Load) => number,
): number | null {
  const gains = trialResults.flatMap((trialResult, i) => {
    const next = trialResults[i + 1];
    if (i % 2 === 1 || next === undefined) return [];
    const [few, many] = [amountOf(trialResult.trial.load), amountOf(next.trial.load)];
    if (few === many) return [];
    const [one, two] = few < many ? [trialResult, next] : [next, trialResult];
    return [requestsPerS(two.window) / requestsPerS(one.window) - 1];
  });
  return gains.length === 0 ? null : Math.min(...gains);
}
