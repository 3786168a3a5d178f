import type { BucketTime, DistributedScenario, SloCheck } from "../../model/distributed.ts";
import type { DistributedReport } from "../../model/report.ts";
import { share, UNKNOWN } from "../../model/text.ts";
import { bareMilliseconds, rate } from "../format.ts";
import { describeLimit } from "../reasons.ts";
import { type CaptionedTable, column, type Table } from "../table.ts";

/**
 * Returns the tables of merged runners (k6 on several machines): one of all together, then one with a
 * row for each.
 */
export function distributedTables(report: DistributedReport): CaptionedTable[] {
  const { runners, scenarios } = report;
  return [
    {
      verdict: distributedVerdict(report),
      caption: runners === 1 ? "One runner" : `${runners} runners together`,
      table: totals(scenarios),
      notes: notesOf(report),
    },
    ...(runners === 1 ? [] : [{
      caption: "Each runner",
      table: shares(scenarios),
      notes: worst(scenarios),
    }]),
  ];
}

function totals(scenarios: readonly DistributedScenario[]): Table {
  return {
    columns: [
      column("Scenario", false),
      column("Rate/s", true),
      column("Sent", true, 3),
      column("Goodput/s", true),
      column("p50 ms", true),
      column("p90 ms", true, 4),
      column("p99 ms", true),
      column("p99.9 ms", true, 2),
      column("Errors", true, 1),
    ],
    rows: scenarios.map((one) => ({
      cells: [
        one.scenario,
        rate(one.perS),
        one.offered === 0 ? UNKNOWN : share(one.sent / one.offered),
        rate(one.goodputPerS),
        ...[one.p50, one.p90, one.p99, one.p999].map(time),
        one.offered === 0 ? UNKNOWN : share(1 - one.right / one.offered),
      ],
    })),
  };
}

function shares(scenarios: readonly DistributedScenario[]): Table {
  return {
    columns: [
      column("Scenario", false),
      column("Runner", false),
      column("Segment", false, 2),
      column("Share", true),
      column("Errors", true, 1),
      column("p50 ms", true),
      column("p99 ms", true),
    ],
    rows: scenarios.flatMap(({ scenario, runners }) =>
      runners.map((one) => ({
        cells: [
          scenario,
          one.runner,
          one.segment,
          share(one.share),
          one.offered === 0 ? UNKNOWN : share(1 - one.right / one.offered),
          time(one.p50),
          time(one.p99),
        ],
      }))
    ),
  };
}

function time(bucket: BucketTime | null): string {
  if (bucket === null) return UNKNOWN;
  return `${bucket.highUs === null ? "> " : ""}${bareMilliseconds(bucket.us)}`;
}

/** Returns the verdict on the SLO in a sentence. */
export function distributedVerdict({ scenarios }: DistributedReport): string {
  const told = scenarios.flatMap(({ scenario, sloChecks }) =>
    sloChecks.map((sloCheck) => ({ sloCheck, scenario }))
  );
  const missed = told.filter(({ sloCheck }) => sloCheck.isMet !== true);
  if (missed.length === 0) return "The SLO is met.";
  const named = missed.map(({ sloCheck, scenario }) => `${scenario} ${describe(sloCheck)}`);
  return `The SLO is not met: ${named.join("; ")}.`;
}

function describe(sloCheck: SloCheck): string {
  const { percentile, found, isMet } = sloCheck;
  const limit = describeLimit(sloCheck);
  if (found === null) return `${limit} is unknown: too few requests`;
  const value = percentile === null ? share(found) : `${bareMilliseconds(found)} ms`;
  return isMet === null
    ? `${limit} is unknown: the value is about ${value}, in the same bucket as the limit`
    : `${limit} (${percentile === null ? "" : "about "}${value})`;
}

function notesOf({ bucketError, missing, leftOut, scenarios }: DistributedReport): string[] {
  const dropped = scenarios.filter((one) => one.dropped > 0);
  return [
    `Times come from histogram buckets, within ${
      share(bucketError)
    } of the true value. k6 measures from the start of a request, not from its scheduled send time.`,
    ...dropped.map(({ scenario, dropped, offered }) =>
      `${scenario}: ${dropped} of ${offered} requests were not sent, because no virtual user was free; they count as errors. The server was too slow, or the load needs more --users or runners.`
    ),
    ...(missing.length === 0
      ? []
      : [`Incomplete: the results for ${missing.join(", ")} of the load are missing.`]),
    ...leftOut.map(({ problem }) => `Left out: ${problem}`),
  ];
}

function worst(scenarios: readonly DistributedScenario[]): string[] {
  return scenarios.flatMap(({ scenario, worst }) =>
    worst === null ? [] : [`The slowest runner at ${scenario}: ${worst}.`]
  );
}
