/** Makes the table of response times in an open loop, and its notes. */
import { checkedUpTo } from "../../analysis/derive_open_loop_results.ts";
import { isSameResult } from "../../analysis/keys.ts";
import type { LatencySummary, OpenCheck, OpenLoopResult, Result } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { INLINE } from "../../model/scenario.ts";
import { nonEmpty, share, UNKNOWN } from "../../model/text.ts";
import { bareMilliseconds, microseconds, multiple, rate, seconds } from "../format.ts";
import { quoted } from "../reproduce.ts";
import { type CaptionedTable, makeTable, numbers, type Table, words } from "../table.ts";

/** Returns the response times in an open loop. */
export function openLoop(report: Report, caption: string): CaptionedTable {
  return { caption, table: tableOf(report), notes: notesOf(report) };
}

/** For a server on another machine, the generator's CPU use is the only evidence for a bottleneck. */
function generatorNotes({ results, experiment, program }: Report): string[] {
  if (experiment.kind !== "rate") return [];
  const ok = results.filter(({ status, perS }) => status === "ok" && perS !== null);
  // In an open loop, idle connections are no bottleneck
  const full = ok.filter(({ bottleneck }) =>
    bottleneck?.kind === "generator" &&
    bottleneck.reasons.every(({ kind }) => kind !== "connections-idle")
  );
  const free = ok.filter((result) => !full.includes(result)).flatMap(({ bottleneck }) => {
    const { server, generator } = bottleneck?.evidence ?? {};
    return server === null ? generator?.busiestThread ?? [] : [];
  });
  const limited = full.map(named).join(", ");
  const help = quoted([...program, "export", "k6", "--help"]);
  const ran = share(Math.max(...free));
  return nonEmpty(
    full.length > 0 &&
      `The load generator was the bottleneck: ${limited}. Use several machines for this rate (docs/beyond_one_machine.md): ${help}`,
    free.length > 0 &&
      `The server's CPU time is unknown. The load generator's busiest thread ran for at most ${ran} of the time, so it was not the bottleneck: these are the times of the server and the network`,
  );
}

/** If lateness makes this percentile an upper bound, it may explain the longest time, too. */
const LONGEST = 0.99;
/** Utilisation of the server, planned as 0.5, above which the check against theory proves nothing. */
const TOO_BUSY = 0.9;

/** Returns a row for each server, scenario and rate; `Load` is the rate's share of the capacity. */
function tableOf(report: Report): Table {
  const { openLoopResults, capacities, results, experiment: { scenarios, variants } } = report;
  const isCurve = capacities.length > 0;
  const place = (of: OpenLoopResult): number => variants.findIndex(({ id }) => id === of.variant);
  const sorted = openLoopResults.toSorted((a, b) => {
    const byRate = (a.perS ?? 0) - (b.perS ?? 0);
    const byVariant = place(a) - place(b);
    return scenarios.indexOf(a.scenario) - scenarios.indexOf(b.scenario) ||
      (isCurve ? byVariant || byRate : byRate || byVariant);
  });
  const time = (key: keyof LatencySummary, percentile: number) => (of: OpenLoopResult): string => {
    const us = of.responseTime?.[key] ?? null;
    if (us === null) return UNKNOWN;
    return `${percentile > of.measurableUpTo ? "≤ " : ""}${bareMilliseconds(us)}`;
  };
  return makeTable(sorted, [
    variants.length > 1 && words("Server", ({ variant }) => variant),
    words("Scenario", ({ scenario }) => scenario),
    isCurve && numbers("Load", ({ variant, scenario, perS }) => {
      const of = capacities.find((one) => one.variant === variant && one.scenario === scenario);
      return of?.heldPerS && perS !== null ? `${Math.round(100 * perS / of.heldPerS)} %` : UNKNOWN;
    }),
    numbers("Rate/s", ({ perS }) => rate(perS ?? 0)),
    numbers("Sent", ({ sent, offered }) => share(sent / offered), isCurve ? 7 : 3),
    numbers("Goodput/s", ({ goodputPerS }) => rate(goodputPerS), isCurve ? 0 : 6),
    numbers("p50 ms", time("p50Us", 0.5)),
    numbers("p90 ms", time("p90Us", 0.9), 4),
    numbers("p99 ms", time("p99Us", 0.99)),
    numbers("p99.9 ms", time("p999Us", 0.999), isCurve ? 8 : 2),
    numbers("Max ms", time("maxUs", LONGEST), 5),
    numbers("Recovery", ({ recoveryS }) => seconds(recoveryS), isCurve ? 0 : 9),
    openLoopResults.some(({ besidePerS }) => besidePerS !== null) &&
    numbers("Primes/s", ({ besidePerS }) => rate(besidePerS)),
    numbers("CPU/req", (one) => {
      const result = results.find((result) => isSameResult(result, one));
      return microseconds(result?.serverCpuUs?.median ?? null);
    }, 1),
  ], ({ variant: server }) => ({ server }));
}

function notesOf(report: Report): string[] {
  const { openLoopResults, openChecks, capacities } = report;
  const isCurve = capacities.length > 0;
  // Rates above the capacity are expected to fail
  const unreached = openLoopResults.filter(({ status }) => !isCurve && status === "unreached");
  return nonEmpty(
    "Open loop: response times count from each request's scheduled send time.",
    isCurve && "Recovery: time from the end of the load until no request was in flight.",
    ...besideNotes(openLoopResults),
    ...openChecks.map(checkNote),
    latenessNote(openLoopResults),
    ...generatorNotes(report),
    ...unreached.map(({ offered, sent, failed, refused, unanswered, shed, ...result }) =>
      `${named(result)}: the rate was not reached: ` +
      `of ${offered} scheduled requests ${sent} were sent, ${failed} failed, ${refused} were refused, ${unanswered} had no response at the end, ${shed} found no free connection`
    ),
  );
}

/** Returns notes on the primes. In `isolation-inline`, the thread that answers computes them. */
function besideNotes(openLoopResults: readonly OpenLoopResult[]): string[] {
  if (openLoopResults.every(({ besidePerS }) => besidePerS === null)) return [];
  const inlines = openLoopResults.filter(({ scenario }) => scenario.endsWith(INLINE));
  const times = inlines.flatMap(({ variant, scenario, perS, responseTime, measurableUpTo }) => {
    const apart = openLoopResults.find((one) =>
      one.variant === variant && one.perS === perS &&
      one.scenario === scenario.slice(0, -INLINE.length)
    );
    if (!responseTime || !apart?.responseTime) return [];
    // One bound in a ratio makes the ratio a bound; with two bounds, nothing is known
    const isKnown = measurableUpTo >= 0.5;
    const isApartKnown = apart.measurableUpTo >= 0.5;
    if (!isKnown && !isApartKnown) return [`${variant} not measurable`];
    const bound = isKnown ? isApartKnown ? "" : "≥ " : "≤ ";
    return [`${variant} ${bound}${multiple(responseTime.p50Us / apart.responseTime.p50Us)} x`];
  }).join(", ");
  return nonEmpty(
    "Primes/s: requests per second for the primes up to a million, from four connections at the same time.",
    times !== "" &&
      `Median response time with primes computed on the thread that answers, relative to computing them elsewhere: ${times}.`,
  );
}

function checkNote(check: OpenCheck): string {
  const { perS, expected, found, serviceUs } = check;
  const loop = `At ${rate(perS)}/s the open loop`;
  if (perS * serviceUs > 1e6 * TOO_BUSY) {
    const took = microseconds(serviceUs);
    return `${loop} could not be checked, because the check's server took ${took} per request`;
  }
  const compared = (["p50", "p90", "p99"] as const).flatMap((name) => {
    const [theory, measured] = [expected[`${name}Us`], found[`${name}Us`]];
    if (theory === null || measured === null) return [];
    return [`${name} ${bareMilliseconds(measured)} of ${bareMilliseconds(theory)} ms`];
  });
  const how = "(measured of theoretical times, at a server with a constant service time)";
  if (compared.length === 0) return `${loop} sent too few requests to be checked ${how}`;
  const upTo = checkedUpTo(check);
  const inPart = upTo === 0 ? "is not exact" : `is exact up to p${100 * upTo}`;
  return `${loop} ${upTo === 1 ? "agrees with theory" : inPart} ${how}: ${compared.join(", ")}`;
}

function named({ variant, scenario, perS }: Pick<Result, "variant" | "scenario" | "perS">): string {
  return `${scenario} of ${variant} at ${rate(perS ?? 0)}/s`;
}

function latenessNote(openLoopResults: readonly OpenLoopResult[]): string | null {
  const late = openLoopResults.filter(({ responseTime, measurableUpTo }) =>
    responseTime !== null && measurableUpTo < 0.99
  );
  if (late.length === 0) return null;
  const most = (percentile: "p50Us" | "p99Us"): string => {
    const known = late.flatMap(({ lateness }) => lateness?.[percentile] ?? []);
    return microseconds(known.length === 0 ? null : Math.max(...known));
  };
  const p99 = most("p99Us");
  const lateness = `${most("p50Us")} (p50)${p99 === UNKNOWN ? "" : `, ${p99} (p99)`}`;
  return `≤: an upper bound, because the load generator's lateness or its error in the check was a large part of it. Lateness: up to ${lateness}, at ${
    late.map(named).join(", ")
  }`;
}
