/** Makes texts for reasons. */

import type { Component, Reason, Result } from "../model/derived.ts";
import type { SloCheck } from "../model/distributed.ts";
import type { Slo } from "../model/experiment.ts";
import { fixed, share } from "../model/text.ts";

const COMPONENTS: Readonly<Record<Component, string>> = {
  server: "the server",
  database: "PostgreSQL",
  generator: "the load generator",
};

/** Returns a reason as a phrase. */
export function describeReason(reason: Reason): string {
  switch (reason.kind) {
    case "message":
      return reason.text;
    case "busy":
      return `${COMPONENTS[reason.component]} ${use(reason)}`;
    case "only-shards-tell":
      return "only a run with more shards can show which of them was the bottleneck";
    case "shards-changed":
      return `doubling the shards changed the rate by ${percent(reason.gain)}`;
    case "connections-changed":
      return `doubling the connections changed the rate by ${percent(reason.gain)}`;
    case "waited-for-processor":
      return "it waited for a CPU, and would have used more CPU time";
    case "near-ceiling":
      return `its ceiling against canned bytes is ${percent(reason.ceilingShare)} of this rate`;
    case "server-unknown":
      return "the server's process is unknown (name it with --pid if it runs on this machine)";
    case "system-silent":
      return "this system does not report CPU use";
    case "others-busy":
      return `other programs used ${fixed(reason.cores, 1)} cores`;
    case "stolen":
      return `the host of this virtual machine took ${percent(reason.share)} of its CPU time`;
    case "machine-in-use":
      return `${percent(reason.used)} of the machine's CPU was in use, and no component saturated`;
    case "connections-idle":
      return `only ${
        percent(reason.little)
      } of the connections had a request in flight: the rest were idle in the load generator`;
    case "database-hidden":
      return "no component was saturated, except perhaps your database, which Stampede cannot observe";
    case "all-idle":
      return `no component was saturated${
        reason.idle === null ? "" : `, and ${percent(reason.idle)} of the machine was idle`
      }`;
    case "wrong-responses":
      return `${reason.count} wrong responses under load${after(", such as ", reason.example)}`;
    case "probe-wrong":
      return `the probe received ${reason.count} wrong responses under load${
        after(": ", reason.example)
      }`;
    case "no-response":
      return "no response in a whole window or slice";
    case "requests-failed":
      return `${fixed(100 * reason.share, 1)} % of the requests failed: ${failures(reason)}`;
    case "too-few-writes":
      return `${
        fixed(reason.perResponse, 1)
      } rows changed per response, instead of ${reason.expected}`;
    case "wrong-statements":
      return `the database executed ${
        fixed(reason.perResponse, 3)
      } statements per response, instead of ${reason.expected}`;
    case "little-contradicts":
      return `rate times mean latency gives ${
        (reason.little * reason.connections).toPrecision(2)
      } requests in flight, instead of ${reason.connections}`;
    case "responses-in-waves":
      return `every ${reason.every}th response takes ${reason.waitS} s, too long for a probe`;
    case "connections-taken":
      return `the server accepts ${reason.connections} connections, and the load needs them all`;
    case "messages":
      return "the load generator itself checks every message";
    case "open-loop":
      return "the load generator itself sends on a schedule, and checks every body";
    case "no-rehearsal":
      return "without a warm-up, the probe could not choose its rate";
    case "responses-too-slow":
      return `a response takes ${Math.round(reason.ms)} ms, too long for a probe`;
    case "none-held":
      return "the SLO was missed at every rate that was tried";
    case "search-ended":
      return "the search ended before it found a rate";
    case "still-climbing":
      return `${reason.climbing} of ${reason.of} ${
        reason.what === "windows" ? "windows" : "rounds of slices"
      }${after(" of ", reason.where)} began before the server had warmed up`;
    case "contended":
      return `while ${reason.where} was measured, ${contention(reason)} (--force compares anyway)`;
    case "absent":
      return `not in ${reason.where}`;
    case "not-ok":
      return withReason(`${reason.status} in ${reason.where}`, textOf(reason.reason));
    case "no-inspector":
      return `only servers started by node, deno run or deno serve can be profiled, and this one is started by ${reason.command}`;
    case "not-started-here":
      return "only servers that Stampede starts can be profiled, and this one was already running";
    case "rate-not-own":
      return "the server was not the bottleneck, and its CPU time is unknown";
    case "no-common-round":
      return "no round has figures of both";
    case "differs":
      return `${reason.what} (${reason.was ?? "nothing"}, then ${reason.is ?? "nothing"})`;
  }
}

/** Returns reasons as one phrase. */
export function describeReasons(reasons: readonly Reason[]): string {
  return reasons.map(describeReason).join("; ");
}

/** Returns the text for a result without figures: `failed: it hung`. */
export function describeStatus({ status, reason }: Pick<Result, "status" | "reason">): string {
  return withReason(status, textOf(reason));
}

/** Returns a status with its reason, if that is known: `skipped: it is not installed`. */
export function withReason(status: string, reason: string | null): string {
  return `${status}${after(": ", reason)}`;
}

function textOf(reason: Reason | null): string | null {
  return reason && describeReason(reason);
}

function after(mark: string, text: string | null): string {
  return text === null ? "" : mark + text;
}

function contention(
  { otherCores, steal, cores }: Extract<Reason, { readonly kind: "contended" }>,
): string {
  const others = `other programs used ${otherCores.toFixed(1)} of ${cores} cores`;
  return steal < 0.01 ? others : `${others}, and the host took ${percent(steal)} of them`;
}

function use(
  { cores, busiestThread, runQueueWait }: Extract<Reason, { readonly kind: "busy" }>,
): string {
  if (cores === null) return "has an unknown CPU use";
  const thread = busiestThread === null ? "" : `, its busiest thread ran ${percent(busiestThread)}`;
  const wait = runQueueWait === null
    ? ""
    : ` and waited for a CPU ${percent(runQueueWait)} of the time`;
  return `used ${fixed(cores, 2)} cores${thread}${wait}`;
}

function failures(
  { statuses, transportErrors, timeouts, probeErrors, probeError }: Extract<
    Reason,
    { readonly kind: "requests-failed" }
  >,
): string {
  return [
    ...Object.entries(statuses).map(([status, count]) =>
      `${count} with ${status.endsWith("xx") ? "another status" : `status ${status}`}`
    ),
    ...(transportErrors > 0 ? [`${transportErrors} transport errors`] : []),
    ...(timeouts > 0 ? [`${timeouts} timeouts`] : []),
    ...(probeErrors > 0 ? [`${probeErrors} of the probe's${after(", such as ", probeError)}`] : []),
  ].join(", ");
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
