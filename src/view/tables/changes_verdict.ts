/** Makes the verdict on changes: what changed, in a sentence or a title. */
import { isRegression } from "../../analysis/changes.ts";
import { thresholdOf } from "../../analysis/cost_changes.ts";
import { NO_THRESHOLDS, type Thresholds } from "../../model/costs.ts";
import {
  type AnyChange,
  type Change,
  type Changes,
  type CostChange,
  isOfResponses,
} from "../../model/derived.ts";
import { count, nonEmpty, share } from "../../model/text.ts";
import { distinct, namer, span } from "../format.ts";
import { headingOf, nameOf, percent, whereOf } from "./changes_table.ts";

/**
 * Returns what changed, slowdowns first, or that nothing is proven to have changed. It marks slowdowns
 * that are not proven to exceed their threshold.
 */
export function changesVerdict(
  { changes, costs = [], counts = null, functions = [] }:
    & Pick<Changes, "changes">
    & Partial<Changes>,
  thresholds: Thresholds = NO_THRESHOLDS,
): string {
  if (changes.length + costs.length === 0) {
    const isEmpty = (counts?.compared ?? 0) === 0 && functions.length === 0;
    return isEmpty ? "Nothing to compare." : "No time was measured.";
  }
  const named = namer(changes);
  const of = (verdict: Change["verdict"]): Change[] =>
    changes.filter((change) => change.verdict === verdict);
  const proven = (heading: string, changes: readonly Change[]): string => {
    const texts = [...Map.groupBy(changes, named)].map(([workload, own]) =>
      `${workload} (${own.map((change) => brief(change, thresholds)).join(", ")})`
    );
    return texts.length === 0 ? "" : `${heading}: ${texts.join(", ")}.`;
  };
  const ofCosts = (heading: string, verdict: Change["verdict"]): string => {
    const own = costs.filter((cost) => cost.verdict === verdict);
    const texts = own.map((cost) => whereOf(cost) + brief(cost, thresholds));
    return texts.length === 0 ? "" : `${heading}: ${texts.join(", ")}.`;
  };
  const changed = nonEmpty(
    proven("Slower", of("slower")),
    ofCosts("More", "slower"),
    proven("Faster", of("faster")),
    ofCosts("Less", "faster"),
  );
  return (changed.length > 0 ? changed : unproven(changes, costs, false)).join(" ");
}

/** Returns sentences on all changes that the verdict does not name. */
export function restOfVerdict({ changes, costs }: Pick<Changes, "changes" | "costs">): string[] {
  const isProven = [...changes, ...costs].some(isChanged);
  return isProven ? unproven(changes, costs, true) : [];
}

function isChanged({ verdict }: AnyChange): boolean {
  return verdict === "slower" || verdict === "faster";
}

function unproven(
  changes: readonly Change[],
  costs: readonly CostChange[],
  hasOthers: boolean,
): string[] {
  const named = namer(changes);
  const of = (verdict: Change["verdict"]): AnyChange[] =>
    [...changes, ...costs].filter((change) => change.verdict === verdict);
  const apart = of("incomparable").map((one) => isOfResponses(one) ? named(one) : nameOf(one));
  const same = of("same");
  return nonEmpty(
    same.length > 0 && unchanged(same, named, hasOthers),
    apart.length > 0 && `Not comparable: ${distinct(apart).join(", ")}.`,
  );
}

/** Returns the result for a title, with one change: `text: +7.6 % CPU/req, head against main`. */
export function changesTitle(
  { changes, costs = [], ...causes }: Pick<Changes, "changes"> & Partial<Changes>,
  { base, head }: { readonly base: string; readonly head: string },
): string {
  const proven = ["slower", "faster"].flatMap((verdict) =>
    changes.filter((change) => change.verdict === verdict)
  );
  const named = namer(changes);
  const provenCosts = costs.filter(isChanged);
  const [first, firstCost] = [proven[0], provenCosts[0]];
  // Several metrics of a workload show the same change
  const others = new Set(proven.map(named)).size + provenCosts.length - 1;
  // Without any row, the verdict says why
  let result = changes.length + costs.length === 0
    ? changesVerdict({ changes, ...causes }).replace(/\.$/, "")
    : "Not comparable";
  if ([...changes, ...costs].some(({ verdict }) => verdict === "same")) {
    result = "No detectable change";
  }
  const more = others > 0 ? ` and ${count(others, "more change")}` : "";
  if (first !== undefined) result = `${named(first)}: ${brief(first, NO_THRESHOLDS)}${more}`;
  else if (firstCost !== undefined) {
    result = `${whereOf(firstCost)}${brief(firstCost, NO_THRESHOLDS)}${more}`;
  }
  return `${result}, ${head} against ${base}`;
}

function unchanged(
  same: readonly AnyChange[],
  named: (change: Change) => string,
  hasOthers: boolean,
): string {
  const seen = same.flatMap(({ minimumDetectableChange }) => minimumDetectableChange ?? []);
  const smallest = span(seen, share);
  const hopeless = same.filter((change) => change.minimumDetectableChange === null)
    .map((change) => isOfResponses(change) ? named(change) : nameOf(change));
  const ofResponses = same.filter(isOfResponses);
  const scenarios = new Set(ofResponses.map(({ scenario }) => scenario)).size;
  const costs = same.length - ofResponses.length;
  const where = nonEmpty(
    scenarios > 0 && count(scenarios, "scenario"),
    costs > 0 && count(costs, "cost"),
  );
  const what = hasOthers
    ? "No other detectable change"
    : `No detectable change in ${where.join(" and ")}`;
  const row = smallest.includes(" to ") ? ", depending on the row" : "";
  const at = seen.length === 0 ? "" : ` at ${distinct(hopeless).join(", ")}`;
  const could = nonEmpty(
    seen.length > 0 && `the smallest detectable one was ${smallest}${row}`,
    hopeless.length > 0 && `none could have been detected${at}`,
  );
  return `${what}; ${could.join(", ")}.`;
}

function brief(change: AnyChange, thresholds: Thresholds): string {
  const { ratio, verdict } = change;
  const limit = thresholdOf(change, thresholds);
  const isOpen = limit !== null && verdict === "slower" && !isRegression(change, limit);
  const note = isOpen ? `, not proven to exceed ${share(limit)}` : "";
  return `${percent(ratio ?? NaN)} ${headingOf(change)}${note}`;
}
