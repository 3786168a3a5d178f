/** Describes the verdict of a comparison, in one or two sentences. */
import { isInconclusive, isRegression } from "../analysis/changes.ts";
import type { Change, Changes } from "../model/derived.ts";
import { FIGURES } from "../model/figures.ts";
import { count, share } from "../model/text.ts";
import { distinct, nonEmpty, workloadNamer } from "./format.ts";
import { percent } from "./tables/changes_table.ts";

/**
 * Returns the verdict: proven changes, slowdowns first. Every text about changes begins with it. It
 * marks slowdowns that are not proven to exceed the threshold of --fail-on, a share.
 */
export function changesVerdict(
  { changes }: Pick<Changes, "changes">,
  failOn: number | null = null,
): string {
  if (changes.length === 0) return "Nothing to compare.";
  const named = namer(changes);
  const of = (verdict: Change["verdict"]): Change[] =>
    changes.filter((change) => change.verdict === verdict);
  const proven = (heading: string, changes: readonly Change[]): string => {
    const texts = [...Map.groupBy(changes, named)].map(([workload, own]) =>
      `${workload} (${own.map((change) => brief(change, failOn)).join(", ")})`
    );
    return texts.length === 0 ? "" : `${heading}: ${texts.join(", ")}.`;
  };
  const [slower, faster, same] = [of("slower"), of("faster"), of("same")];
  const apart = distinct(of("incomparable").map(named));
  return nonEmpty(
    proven("Slower", slower),
    proven("Faster", faster),
    same.length > 0 && unchanged(same, named, slower.length + faster.length > 0),
    apart.length > 0 && `Not comparable: ${apart.join(", ")}.`,
  ).join(" ");
}

/** Returns the result for a title, with one change: `text: +7.6 % CPU/req, head against main`. */
export function changesTitle(
  { changes }: Pick<Changes, "changes">,
  { base, head }: { readonly base: string; readonly head: string },
): string {
  const proven = ["slower", "faster"].flatMap((verdict) =>
    changes.filter((change) => change.verdict === verdict)
  );
  // Several metrics of a workload show the same change
  const [first, ...others] = Map.groupBy(proven, namer(changes));
  const result = first !== undefined
    ? `${first[0]}: ${first[1].slice(0, 1).map((change) => brief(change, null))}${
      others.length > 0 ? ` and ${count(others.length, "more change")}` : ""
    }`
    : changes.length === 0
    ? "Nothing to compare"
    : changes.some(({ verdict }) => verdict === "same")
    ? "No detectable change"
    : "Not comparable";
  return `${result}, ${head} against ${base}`;
}

/** Returns a function that names changes by scenario, with load and server if there are several. */
export function namer(changes: readonly Change[]): (change: Change) => string {
  const isServed = new Set(changes.map(({ variant }) => variant)).size > 1;
  const named = workloadNamer(changes);
  return (change) => named(change) + (isServed ? ` of ${change.variant}` : "");
}

/** Returns a sentence for workloads without a proven change, with the smallest detectable change. */
function unchanged(
  same: readonly Change[],
  named: (change: Change) => string,
  hasOthers: boolean,
): string {
  const seen = same.flatMap(({ minimumDetectableChange }) => minimumDetectableChange ?? []);
  const [least, most] = [Math.min(...seen), Math.max(...seen)].map(share);
  const smallest = least === most ? least : `${least} to ${most}, depending on the row`;
  const hopeless = distinct(
    same.filter(({ minimumDetectableChange }) => minimumDetectableChange === null).map(named),
  );
  const scenarios = new Set(same.map(({ scenario }) => scenario)).size;
  const what = hasOthers
    ? "No other detectable change"
    : `No detectable change in ${count(scenarios, "scenario")}`;
  const could = nonEmpty(
    seen.length > 0 && `the smallest detectable one was ${smallest}`,
    hopeless.length > 0 &&
      `none could have been detected${seen.length === 0 ? "" : ` at ${hopeless.join(", ")}`}`,
  );
  return `${what}; ${could.join(", ")}.`;
}

function brief(change: Change, failOn: number | null): string {
  const { ratio, metric, verdict } = change;
  const isOpen = failOn !== null && verdict === "slower" && !isRegression(change, failOn);
  const note = isOpen ? `, not proven to exceed ${share(failOn)}` : "";
  return `${percent(ratio ?? NaN)} ${FIGURES[metric].column.heading}${note}`;
}

/** The options --fail-on and --strict. */
export interface Gate {
  /** The largest slowdown that passes, as a share: 0.05 is 5 %; null without --fail-on. */
  readonly failOn: number | null;
  /** Whether a slowdown beyond the threshold fails even if it is neither proven nor excluded. */
  readonly strict: boolean;
}

/** Returns the result of --fail-on, in sentences; empty without --fail-on. */
export function gateNotes(
  { changes }: Pick<Changes, "changes">,
  { failOn, strict }: Gate,
): string[] {
  if (failOn === null) return [];
  const named = (which: (change: Change) => boolean): string =>
    distinct(changes.filter(which).map(({ variant, scenario }) => `${scenario} of ${variant}`))
      .join(", ");
  const broken = named(({ isBroken }) => isBroken);
  const regressed = named((change) => !change.isBroken && isRegression(change, failOn));
  const vanished = named(({ isConfirmed }) => isConfirmed === false);
  const open = named((change) => isInconclusive(change, failOn));
  const limit = share(failOn);
  const fails = strict ? " (--strict fails)" : "";
  return nonEmpty(
    broken !== "" && `Broken in head, but not in base: ${broken}.`,
    regressed === ""
      ? `No slowdown is proven to exceed ${limit}.`
      : `Proven to be more than ${limit} slower: ${regressed}.`,
    vanished !== "" && `More than ${limit} slower at first, but not in fresh rounds: ${vanished}.`,
    open !== "" &&
      `A slowdown of more than ${limit} is neither proven nor excluded: ${open}${fails}.`,
  );
}
