/**
 * Makes notes on the load generator's CPU use. It is the only evidence for a bottleneck if the server
 * runs on another machine.
 */

import { checkedUpTo } from "../../analysis/derive_open_loop_results.ts";
import { isSameResult } from "../../analysis/keys.ts";
import type { LatencySummary, OpenCheck, OpenLoopResult, Result } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { INLINE } from "../../model/scenario.ts";
import { share, UNKNOWN } from "../../model/text.ts";
import { bareMilliseconds, microseconds, multiple, rate, seconds } from "../format.ts";
import { quoted } from "../reproduce.ts";
import { column, type Table } from "../table.ts";

/**
 * Returns notes on rates that the load generator limited, and on the rates of a server on another
 * machine.
 */
export function generatorNotes({ results, experiment, program }: Report): string[] {
  if (experiment.kind !== "rate") return [];
  const ok = results.filter(({ status, perS }) => status === "ok" && perS !== null);
  // In an open loop, idle connections are no bottleneck
  const full = ok.filter(({ bottleneck }) =>
    bottleneck?.kind === "generator" &&
    bottleneck.reasons.every(({ kind }) => kind !== "connections-idle")
  );
  const unseen = ok.filter(({ bottleneck }) => {
    const { server, generator } = bottleneck?.evidence ?? {};
    return server === null && (generator?.busiestThread ?? null) !== null;
  });
  const free = unseen.filter((result) => !full.includes(result));
  const busiest = Math.max(
    ...free.map(({ bottleneck }) => bottleneck?.evidence.generator?.busiestThread ?? 0),
  );
  return [
    ...(full.length === 0 ? [] : [
      `The load generator was the bottleneck: ${
        full.map(resultName).join(", ")
      }. Use several machines for this rate (docs/beyond_one_machine.md): ${
        quoted([...program, "export", "k6", "--help"])
      }`,
    ]),
    ...(free.length === 0 ? [] : [
      `The server's CPU time is unknown. The load generator's busiest thread ran for at most ${
        share(busiest)
      } of the time, so it was not the bottleneck: these are the times of the server and the network`,
    ]),
  ];
}

function resultName({ scenario, variant, perS }: Result): string {
  return `${scenario} of ${variant} at ${rate(perS ?? 0)}/s`;
}

/** Mark of an upper bound: of a percentile that includes much of the load generator's lateness. */
const AT_MOST = "≤ ";
/**
 * If lateness makes this percentile of the response times an upper bound, it may also explain the longest
 * one. The longest response time is then marked as an upper bound too.
 */
const LONGEST = 0.99;
/**
 * Utilisation (share of time in use) of the server in the check against theory. Above it, that check
 * proves nothing. The check is planned for a utilisation of 0.5.
 */
const TOO_BUSY = 0.9;

/**
 * Returns a table of response times, with a row for each server, scenario and rate. After a capacity
 * search, the column `Load` shows the rate as a share of the capacity.
 */
export function openLoopTable(report: Report): Table {
  const { openLoopResults, capacities, experiment: { scenarios, variants } } = report;
  const several = variants.length > 1;
  const isCurve = capacities.length > 0;
  const isBeside = openLoopResults.some(({ besidePerS }) => besidePerS !== null);
  const order = ({ scenario, perS, variant }: OpenLoopResult): number[] => [
    scenarios.indexOf(scenario),
    ...(isCurve ? [variants.findIndex(({ id }) => id === variant), perS ?? 0] : []),
    perS ?? 0,
    variants.findIndex(({ id }) => id === variant),
  ];
  const sorted = openLoopResults.toSorted((a, b) => {
    const [of, other] = [order(a), order(b)];
    const place = of.findIndex((value, i) => value !== other[i]);
    return (of[place] ?? 0) - (other[place] ?? 0);
  });
  return {
    columns: [
      ...(several ? [column("Server", false)] : []),
      column("Scenario", false),
      ...(isCurve ? [column("Load", true)] : []),
      column("Rate/s", true),
      column("Sent", true, isCurve ? 7 : 3),
      column("Goodput/s", true, isCurve ? 0 : 6),
      column("p50 ms", true),
      column("p90 ms", true, 4),
      column("p99 ms", true),
      column("p99.9 ms", true, isCurve ? 8 : 2),
      column("Max ms", true, 5),
      column("Recovery", true, isCurve ? 0 : 9),
      ...(isBeside ? [column("Primes/s", true)] : []),
      column("CPU/req", true, 1),
    ],
    rows: sorted.map((openLoopResult) => ({
      cells: [
        ...(several ? [openLoopResult.variant] : []),
        openLoopResult.scenario,
        ...(isCurve ? [loadOf(openLoopResult, report)] : []),
        rate(openLoopResult.perS ?? 0),
        openLoopResult.offered === 0
          ? UNKNOWN
          : share(openLoopResult.sent / openLoopResult.offered),
        openLoopResult.goodputPerS === null ? UNKNOWN : rate(openLoopResult.goodputPerS),
        ...figures(openLoopResult),
        seconds(openLoopResult.recoveryS),
        ...(isBeside
          ? [openLoopResult.besidePerS === null ? UNKNOWN : rate(openLoopResult.besidePerS)]
          : []),
        microseconds(cpuOf(openLoopResult, report)),
      ],
      server: openLoopResult.variant,
    })),
  };
}

/** Returns the rate as a percentage of the server's capacity. */
function loadOf({ variant, scenario, perS }: OpenLoopResult, { capacities }: Report): string {
  const capacity = capacities.find((one) => one.variant === variant && one.scenario === scenario);
  const heldPerS = capacity?.heldPerS ?? null;
  return heldPerS === null || perS === null ? UNKNOWN : `${Math.round(100 * perS / heldPerS)} %`;
}

function figures({ responseTime, measurableUpTo }: OpenLoopResult): string[] {
  const shown = (value: number | null | undefined, percentile: number): string => {
    if (value === null || value === undefined) return UNKNOWN;
    return `${percentile > measurableUpTo ? AT_MOST : ""}${bareMilliseconds(value)}`;
  };
  return [
    shown(responseTime?.p50Us, 0.5),
    shown(responseTime?.p90Us, 0.9),
    shown(responseTime?.p99Us, 0.99),
    shown(responseTime?.p999Us, 0.999),
    shown(responseTime?.maxUs, LONGEST),
  ];
}

function cpuOf(openLoopResult: OpenLoopResult, { results }: Report): number | null {
  return results.find((result) => isSameResult(result, openLoopResult))?.serverCpuUs?.median ??
    null;
}

/** Returns the notes for the table of response times. */
export function openLoopNotes(report: Report): string[] {
  const { openLoopResults, openChecks, capacities } = report;
  const late = openLoopResults.filter(({ responseTime, measurableUpTo }) =>
    responseTime !== null && measurableUpTo < 0.99
  );
  // Rates above the capacity are expected to fail
  const unreached = capacities.length > 0
    ? []
    : openLoopResults.filter(({ status }) => status === "unreached");
  return [
    "Open loop: response times count from each request's scheduled send time.",
    ...(capacities.length > 0
      ? [
        "Recovery: time from the end of the load until no request was in flight.",
      ]
      : []),
    ...besideNotes(openLoopResults),
    ...openChecks.map(checkNote),
    ...latenessNotes(late),
    ...generatorNotes(report),
    ...unreached.map((one) => `${named(one)}: ${fate(one)}`),
  ];
}

/**
 * Returns notes on the second load of the scenario `isolation`. In `isolation-inline`, the thread that
 * answers also computes the primes. A note compares its response times with those of `isolation`.
 */
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
  });
  return [
    "Primes/s: requests per second for the primes up to a million, from four connections at the same time.",
    ...(times.length === 0 ? [] : [
      `Median response time with primes computed on the thread that answers, relative to computing them elsewhere: ${
        times.join(", ")
      }.`,
    ]),
  ];
}

/**
 * Returns a note with the result of the check of the load generator against theory, which was made at
 * this rate before the run.
 */
function checkNote(check: OpenCheck): string {
  const { perS, expected, found, serviceUs } = check;
  if (perS * serviceUs > 1e6 * TOO_BUSY) {
    return `At ${
      rate(perS)
    }/s the open loop could not be checked, because the check's server took ${
      microseconds(serviceUs)
    } per request`;
  }
  const compared = (["p50Us", "p90Us", "p99Us"] as const).flatMap((name) => {
    const [theory, measured] = [expected[name], found[name]];
    if (theory === null || measured === null) return [];
    return `${name.replace("Us", "")} ${bareMilliseconds(measured)} of ${
      bareMilliseconds(theory)
    } ms`;
  });
  const upTo = checkedUpTo(check);
  const verdict = compared.length === 0
    ? "too few requests to check it"
    : upTo === 1
    ? "agrees with theory"
    : upTo === 0
    ? "is not exact"
    : `is exact up to p${100 * upTo}`;
  return `At ${
    rate(perS)
  }/s the open loop ${verdict} (measured of theoretical times, at a server with a constant service time): ${
    compared.join(", ")
  }`.replace(/: $/, "");
}

function named({ variant, scenario, perS }: OpenLoopResult): string {
  return `${scenario} of ${variant} at ${rate(perS ?? 0)}/s`;
}

/** Returns a note on the load generator's lateness, if it makes percentiles upper bounds. */
function latenessNotes(late: readonly OpenLoopResult[]): string[] {
  if (late.length === 0) return [];
  const most = (of: (times: LatencySummary) => number | null): number | null => {
    const known = late.flatMap(({ lateness }) =>
      lateness && of(lateness) !== null ? [of(lateness) as number] : []
    );
    return known.length === 0 ? null : Math.max(...known);
  };
  const p99Us = most((times) => times.p99Us);
  return [
    `≤: an upper bound, because the load generator's lateness or its error in the check was a large part of it. Lateness: up to ${
      microseconds(most(({ p50Us }) => p50Us))
    } (p50)${p99Us === null ? "" : `, ${microseconds(p99Us)} (p99)`}, at ${
      late.map(named).join(", ")
    }`,
  ];
}

function fate(
  { offered, sent, failed, refused, unanswered, shed }: OpenLoopResult,
): string {
  return `the rate was not reached: of ${offered} scheduled requests ${sent} were sent, ${failed} failed, ${refused} were refused, ${unanswered} had no response at the end, ${shed} found no free connection`;
}
