/** The words of reasons, each in one place. */
import type { Component, Reason, Result } from "../model/derived.ts";
import { fixed } from "./format.ts";

const COMPONENTS: Readonly<Record<Component, string>> = {
  server: "the server",
  database: "PostgreSQL",
  generator: "the load generator",
};

/** A reason as a phrase. */
export function describeReason(reason: Reason): string {
  switch (reason.kind) {
    case "message":
      return reason.text;
    case "busy":
      return `${COMPONENTS[reason.component]} ${use(reason)}`;
    case "only-shards-tell":
      return "only more shards could tell which of them was the bottleneck";
    case "shards-changed":
      return `twice the shards changed the rate by ${percent(reason.gain)}`;
    case "connections-changed":
      return `twice the connections changed the rate by ${percent(reason.gain)}`;
    case "waited-for-processor":
      return "it had to wait for a processor and would have run more";
    case "near-ceiling":
      return `it reached ${percent(reason.ceilingShare)} of this rate against canned bytes`;
    case "server-unknown":
      return "nobody knows which process the server is (--pid says it, of this machine)";
    case "system-silent":
      return "this system does not tell who was busy";
    case "others-busy":
      return `other programs used ${fixed(reason.cores, 1)} cores`;
    case "stolen":
      return `the host of this virtual machine took ${
        percent(reason.share)
      } of its CPU time for others`;
    case "machine-in-use":
      return `${percent(reason.used)} of the machine was in use, and no component saturated`;
    case "connections-idle":
      return `only ${
        percent(reason.little)
      } of the connections had a request under way: the rest lay idle in the load generator`;
    case "database-hidden":
      return "nobody was busy but perhaps the database, which is not Stampede's";
    case "all-idle":
      return `nobody was busy${
        reason.idle === null ? "" : `, and ${percent(reason.idle)} of the machine idle`
      }`;
    case "wrong-responses":
      return `${reason.count} wrong responses under load${after(", such as ", reason.example)}`;
    case "probe-wrong":
      return `the probe met ${reason.count} wrong responses under load${
        after(": ", reason.example)
      }`;
    case "no-response":
      return "no response in a whole window or slice";
    case "requests-failed":
      return `${fixed(100 * reason.share, 1)} % of the requests failed: ${failures(reason)}`;
    case "too-few-writes":
      return `${
        fixed(reason.perResponse, 1)
      } rows were changed for each response, not ${reason.expected}`;
    case "wrong-statements":
      return `the database executed ${
        fixed(reason.perResponse, 3)
      } statements for each response, not ${reason.expected}`;
    case "little-contradicts":
      return `rate times mean latency gives ${
        (reason.little * reason.connections).toPrecision(2)
      } requests under way, and not ${reason.connections}`;
    case "responses-in-waves":
      return `every ${reason.every}th response takes ${reason.waitS} s, longer than its schedule`;
    case "connections-taken":
      return `the server takes ${reason.connections} connections, which the load needs`;
    case "messages":
      return "the load generator itself looks at every message";
    case "open-loop":
      return "the load generator itself sends at given times, and looks at every body";
    case "no-rehearsal":
      return "there was no warm-up in which it could find its pace";
    case "responses-too-slow":
      return `a response takes ${Math.round(reason.ms)} ms, longer than its schedule`;
    case "none-held":
      return "the SLO was met at no rate that was tried";
    case "search-ended":
      return "the search was ended before it found a rate";
    case "still-climbing":
      return `${reason.climbing} of ${reason.of} ${
        reason.what === "windows" ? "windows" : "rounds of slices"
      }${after(" of ", reason.where)} began before the server had warmed up`;
    case "contended":
      return `while ${reason.where} was measured, ${contention(reason)} (--force compares them)`;
    case "absent":
      return `not in ${reason.where}`;
    case "not-ok":
      return withReason(`${reason.status} in ${reason.where}`, textOf(reason.reason));
    case "no-inspector":
      return `only what starts with node, deno run or deno serve can be profiled, and this starts with ${reason.command}`;
    case "not-started-here":
      return "it runs already, and can be profiled only if Stampede starts it";
    case "rate-not-own":
      return "the rate was not the server's, and its CPU time is not known";
    case "no-common-round":
      return "there is no round that both have figures of";
    case "differs":
      return `${reason.what} (${reason.was ?? "nothing"}, then ${reason.is ?? "nothing"})`;
  }
}

/** Reasons as one phrase. */
export function describeReasons(reasons: readonly Reason[]): string {
  return reasons.map(describeReason).join("; ");
}

/** What is printed of a result in place of its figures: `failed: it hung`. */
export function describeStatus({ status, reason }: Pick<Result, "status" | "reason">): string {
  return withReason(status, textOf(reason));
}

/** A status with the reason for it, if that is known: `skipped: it is not installed`. */
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
  return steal < 0.01 ? others : `${others} and the host took ${percent(steal)} of them`;
}

function use(
  { cores, busiestThread, runQueueWait }: Extract<Reason, { readonly kind: "busy" }>,
): string {
  if (cores === null) return "is not known";
  const thread = busiestThread === null ? "" : `, its busiest thread ran ${percent(busiestThread)}`;
  const wait = runQueueWait === null ? "" : ` and waited ${percent(runQueueWait)} of the time`;
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
