/** Tables of merged k6 runners, and of the changes between two merged loads. */
import type { BucketTime, MergedChange, SloCheck } from "../../model/distributed.ts";
import type { DistributedReport } from "../../model/report.ts";
import { nonEmpty, share, UNKNOWN } from "../../model/text.ts";
import { bareMilliseconds, rate } from "../format.ts";
import { describeLimit } from "../reasons.ts";
import { percent } from "./changes_table.ts";
import { type CaptionedTable, makeTable, numbers, type Table, words } from "../table.ts";

/** Returns the tables of merged k6 runners: all together, then a row for each. */
export function distributedTables(report: DistributedReport): CaptionedTable[] {
  const { runners, scenarios } = report;
  const together = {
    verdict: distributedVerdict(report),
    caption: runners === 1 ? "One runner" : `${runners} runners together`,
    table: makeTable(scenarios, [
      words("Scenario", ({ scenario }) => scenario),
      numbers("Rate/s", ({ perS }) => rate(perS)),
      numbers("Sent", ({ sent, offered }) => share(sent / offered), 3),
      numbers("Goodput/s", ({ goodputPerS }) => rate(goodputPerS)),
      numbers("p50 ms", ({ p50 }) => time(p50)),
      numbers("p90 ms", ({ p90 }) => time(p90), 4),
      numbers("p99 ms", ({ p99 }) => time(p99)),
      numbers("p99.9 ms", ({ p999 }) => time(p999), 2),
      numbers("Errors", ({ right, offered }) => share(1 - right / offered), 1),
    ]),
    notes: notesOf(report),
  };
  if (runners === 1) return [together];
  const rows = scenarios.flatMap(({ scenario, runners }) =>
    runners.map((runner) => ({ scenario, ...runner }))
  );
  const table = makeTable(rows, [
    words("Scenario", ({ scenario }) => scenario),
    words("Runner", ({ runner }) => runner),
    words("Segment", ({ segment }) => segment, 2),
    numbers("Share", (one) => share(one.share)),
    numbers("Errors", ({ right, offered }) => share(1 - right / offered), 1),
    numbers("p50 ms", ({ p50 }) => time(p50)),
    numbers("p99 ms", ({ p99 }) => time(p99)),
  ]);
  const notes = scenarios.flatMap(({ scenario, worst }) =>
    worst === null ? [] : [`The slowest runner at ${scenario}: ${worst}.`]
  );
  return [together, { caption: "Each runner", table, notes }];
}

function time(bucket: BucketTime | null): string {
  if (bucket === null) return UNKNOWN;
  return `${bucket.highUs === null ? "> " : ""}${bareMilliseconds(bucket.us)}`;
}

function distributedVerdict({ scenarios, missing }: DistributedReport): string {
  const isWhole = missing.length === 0;
  const [missed, unknown] = [false, null].map((outcome) =>
    scenarios.flatMap(({ scenario, sloChecks }) =>
      sloChecks.filter(({ isMet }) => isMet === outcome)
        .map((check) => `${scenario} ${describe(check, isWhole)}`)
    ).join("; ")
  );
  if (missed) return `The SLO is not met: ${missed}.${unknown ? ` Unknown: ${unknown}.` : ""}`;
  if (!unknown) return "The SLO is met.";
  return isWhole
    ? `It is unknown whether the SLO is met: ${unknown}.`
    : `It is unknown whether the SLO is met, because a part of the load is missing. The rest: ${unknown}.`;
}

function describe(sloCheck: SloCheck, isWhole: boolean): string {
  const { percentile, found, isMet } = sloCheck;
  const limit = describeLimit(sloCheck);
  if (found === null) return `${limit} (too few requests)`;
  if (percentile === null) return `${limit} (${share(found)})`;
  const value = `about ${bareMilliseconds(found)} ms`;
  return `${limit} (${value}${isMet === null && isWhole ? ", in the limit's bucket" : ""})`;
}

function notesOf({ bucketError, missing, leftOut, scenarios }: DistributedReport): string[] {
  const error = share(bucketError);
  return nonEmpty(
    `Times come from histogram buckets, within ${error} of the true value. k6 measures from the start of a request, not from its scheduled send time.`,
    ...scenarios.map(({ scenario, dropped, offered }) =>
      dropped > 0 &&
      `${scenario}: ${dropped} of ${offered} requests were not sent, because no virtual user was free; they count as errors. The server was too slow, or the load needs more --users or runners.`
    ),
    missing.length > 0 &&
      `Incomplete: the results for ${missing.join(", ")} of the load are missing.`,
    ...leftOut.map(({ problem }) => `Left out: ${problem}`),
  );
}

const NAMES: Readonly<Record<MergedChange["figure"], string>> = {
  goodputPerS: "goodput/s",
  p50: "p50 ms",
  p90: "p90 ms",
  p99: "p99 ms",
  p999: "p99.9 ms",
};

/** Returns the table of changes between two merged loads. */
export function mergedChangesTable(changes: readonly MergedChange[]): Table {
  const show = (figure: MergedChange["figure"], value: number): string =>
    figure === "goodputPerS" ? rate(value) : bareMilliseconds(value);
  return makeTable(changes, [
    words("Scenario", ({ scenario }) => scenario),
    words("Figure", ({ figure }) => NAMES[figure]),
    numbers("Base", ({ figure, base }) => show(figure, base)),
    numbers("Head", ({ figure, head }) => show(figure, head)),
    numbers("Change", ({ figure, ratio: { low, value, high } }) => {
      if (figure === "goodputPerS") return percent(value);
      return `${percent(value)} [${percent(low)}, ${high === null ? "?" : percent(high)}]`;
    }),
  ]);
}
