/** Puts reasons and limits into words. */
import type { Component, Reason, Result } from "../model/derived.ts";
import type { SloCheck } from "../model/distributed.ts";
import type { Slo } from "../model/experiment.ts";
import { count, fixed, nonEmpty, share } from "../model/text.ts";
import { byKind } from "./format.ts";

const COMPONENTS: Readonly<Record<Component, string>> = {
  server: "the server",
  database: "PostgreSQL",
  generator: "the load generator",
};

export const describeReason: (reason: Reason) => string = byKind<Reason>({
  message: ({ text }) => text,
  busy: ({ component, cores, busiestThread, runQueueWait }) => {
    const name = COMPONENTS[component];
    if (cores === null) return `${name} has an unknown CPU use`;
    return nonEmpty(
      `${name} used ${fixed(cores, 2)} cores`,
      busiestThread !== null && `, its busiest thread ran ${percent(busiestThread)}`,
      runQueueWait !== null && ` and waited for a CPU ${percent(runQueueWait)} of the time`,
    ).join("");
  },
  "only-shards-tell": () => "only a run with more shards can show which of them was the bottleneck",
  "shards-changed": ({ gain }) => `doubling the shards changed the rate by ${percent(gain)}`,
  "connections-changed": ({ gain }) =>
    `doubling the connections changed the rate by ${percent(gain)}`,
  "waited-for-processor": () => "it waited for a CPU, and would have used more CPU time",
  "near-ceiling": ({ ceilingShare }) =>
    `its ceiling against canned bytes is ${percent(ceilingShare)} of this rate`,
  "server-unknown": () =>
    "the server's process is unknown (name it with --pid if it runs on this machine)",
  "system-silent": () => "this system does not report CPU use",
  "others-busy": ({ cores }) => `other programs used ${fixed(cores, 1)} cores`,
  stolen: ({ share }) => `the host of this virtual machine took ${percent(share)} of its CPU time`,
  "machine-in-use": ({ used }) =>
    `${percent(used)} of the machine's CPU was in use, and no component saturated`,
  "connections-idle": ({ little }) =>
    `only ${percent(little)} of the connections had a request in flight: ` +
    "the rest were idle in the load generator",
  "database-hidden": () =>
    "no component was saturated, except perhaps your database, which Stampede cannot observe",
  "all-idle": ({ idle }) =>
    "no component was saturated" +
    (idle === null ? "" : `, and ${percent(idle)} of the machine was idle`),
  "wrong-responses": ({ count, example }) =>
    `${count} wrong responses under load${after(", such as ", example)}`,
  "probe-wrong": ({ count, example }) =>
    `the probe received ${count} wrong responses under load${after(": ", example)}`,
  "no-response": () => "no response in a whole window or slice",
  "requests-failed": ({ share, statuses, transportErrors, timeouts, probeErrors, probeError }) => {
    const failures = nonEmpty(
      ...Object.entries(statuses).map(([status, count]) =>
        `${count} with ${status.endsWith("xx") ? "another status" : `status ${status}`}`
      ),
      transportErrors > 0 && `${transportErrors} transport errors`,
      timeouts > 0 && `${timeouts} timeouts`,
      probeErrors > 0 && `${probeErrors} of the probe's${after(", such as ", probeError)}`,
    );
    return `${fixed(100 * share, 1)} % of the requests failed: ${failures.join(", ")}`;
  },
  "too-few-writes": ({ perResponse, expected }) =>
    `${fixed(perResponse, 1)} rows changed per response, instead of ${expected}`,
  "wrong-statements": ({ perResponse, expected }) =>
    `the database executed ${fixed(perResponse, 3)} statements per response, ` +
    `instead of ${expected}`,
  "little-contradicts": ({ little, connections }) =>
    `rate times mean latency gives ${(little * connections).toPrecision(2)} requests in flight, ` +
    `instead of ${connections}`,
  "responses-in-waves": ({ every, waitS }) =>
    `every ${every}th response takes ${waitS} s, too long for a probe`,
  "connections-taken": ({ connections }) =>
    `the server accepts ${connections} connections, and the load needs them all`,
  messages: () => "the load generator itself checks every message",
  "open-loop": () => "the load generator itself sends on a schedule, and checks every body",
  "no-rehearsal": () => "without a warm-up, the probe could not choose its rate",
  "responses-too-slow": ({ ms }) => `a response takes ${Math.round(ms)} ms, too long for a probe`,
  "none-held": () => "the SLO was missed at every rate that was tried",
  "search-ended": () => "the search ended before it found a rate",
  "still-climbing": ({ climbing, of, what, where }) =>
    `${climbing} of ${of} ${what === "windows" ? "windows" : "rounds of slices"}` +
    `${after(" of ", where)} began before the server had warmed up`,
  contended: ({ where, otherCores, steal, cores }) =>
    `while ${where} was measured, other programs used ${otherCores.toFixed(1)} of ${cores} cores` +
    (steal < 0.01 ? "" : `, and the host took ${percent(steal)} of them`) +
    " (--force compares anyway)",
  absent: ({ where }) => `not in ${where}`,
  "not-ok": ({ status, where, reason }) =>
    withReason(`${status} in ${where}`, reason && describeReason(reason)),
  "no-inspector": ({ command }) =>
    `only servers started by node, deno run or deno serve can be profiled, and this one is started by ${command}`,
  "not-started-here": () =>
    "only servers that Stampede starts can be profiled, and this one was already running",
  "rate-not-own": () => "the server was not the bottleneck, and its CPU time is unknown",
  "few-requests": ({ requests, needed }) =>
    `a round has at most ${count(requests, "request")}, and this percentile needs ${needed}`,
  "few-rounds": ({ rounds, of, late }) =>
    `only ${rounds} of ${count(of, "round")} ${rounds === 1 ? "counts" : "count"}` +
    (late === 0 ? "" : `, because the load generator was late in ${late}`),
  "no-common-round": () => "no round has figures of both",
  differs: ({ what, was, is }) => `${what} (${was ?? "nothing"}, then ${is ?? "nothing"})`,
});

/** Returns reasons as one phrase. */
export function describeReasons(reasons: readonly Reason[]): string {
  return reasons.map(describeReason).join("; ");
}

/** Returns the text for a result without figures: `failed: it hung`. */
export function describeStatus({ status, reason }: Pick<Result, "status" | "reason">): string {
  return withReason(status, reason && describeReason(reason));
}

/** Returns a status with its reason, if that is known: `skipped: it is not installed`. */
export function withReason(status: string, reason: string | null): string {
  return `${status}${after(": ", reason)}`;
}

function after(mark: string, text: string | null): string {
  return text === null ? "" : mark + text;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Returns an SLO as text: `p99 < 10 ms, errors < 0.1 %`. */
export function describeSlo({ latencies, errorShare }: Slo): string {
  return [
    ...latencies.map(({ percentile, us }) => describeLimit({ percentile, limit: us })),
    ...(errorShare === null ? [] : [describeLimit({ percentile: null, limit: errorShare })]),
  ].join(", ");
}

/** Returns one limit of an SLO as text: `p99 < 10 ms`. */
export function describeLimit(
  { percentile, limit }: Pick<SloCheck, "percentile" | "limit">,
): string {
  return percentile === null
    ? `errors < ${share(limit)}`
    : `p${Number((100 * percentile).toPrecision(6))} < ${time(limit)}`;
}

function time(us: number): string {
  if (us < 1000) return `${us} µs`;
  return us < 1e6 ? `${us / 1000} ms` : `${us / 1e6} s`;
}
