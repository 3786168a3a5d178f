/** Makes the output of `stampede bisect`. */
import { halvings, type Side } from "../analysis/bisection.ts";
import type { Change, ConfidenceInterval } from "../model/derived.ts";
import { FIGURES, isMoreBetter } from "../model/figures.ts";
import { count, nonEmpty } from "../model/text.ts";
import { distinct, range } from "./format.ts";
import { draw, makeTable, numbers, type Screen, words, wrapAll } from "./table.ts";
import { percent } from "./tables/changes_table.ts";

/** One measured candidate. */
export interface BisectionStep {
  readonly label: string;
  readonly side: Side;
  /** Cost relative to good, 1.05 is 5 % slower; null if it could not be measured. */
  readonly slowdown: number | null;
  /** Why it could not be measured; null if it was. */
  readonly why: string | null;
  readonly report: string | null;
}

const SIDES: Readonly<Record<Side, string>> = {
  good: "as good",
  bad: "as bad",
  undecided: "undecided",
  skipped: "skipped",
};

/** Returns a change with its interval: `json +5.2 % CPU/req (+4.6 % to +5.8 %)`. */
export function describeFollowed(
  { scenario, metric, ratio, confidenceInterval: ends }: Change,
): string {
  const interval: ConfidenceInterval | null = ends;
  const around = interval === null ? "" : ` (${range(interval, percent)})`;
  return `${scenario} ${percent(ratio ?? NaN)} ${FIGURES[metric].column.heading}${around}`;
}

/** Returns the verdict on a candidate: `+5.1 % CPU/req against good: as bad`. */
export function describeStep(
  { side, slowdown, why }: Omit<BisectionStep, "label" | "report">,
  metric: Change["metric"],
): string {
  if (why !== null) return `skipped: ${why}`;
  const heading = FIGURES[metric].column.heading;
  return `${changeOf(slowdown, metric)} ${heading} against good: ${SIDES[side]}`;
}

/** Announces the next measurement: of a candidate among those that are left, or of an undecided one again. */
export function describeNext(
  steps: readonly Pick<BisectionStep, "label">[],
  label: string,
  left: number,
): string {
  const labels = distinct(steps.map((step) => step.label));
  return labels.includes(label)
    ? `Step ${labels.length}, again: ${label}`
    : `Step ${labels.length + 1}: ${label}, one of ${count(left, "candidate")} left`;
}

/** The result of a bisection, as `--json` prints it. */
export interface BisectionOutcome {
  /** `range`: one of several commits. `unproven`: fresh rounds do not show the slowdown. */
  readonly outcome: "found" | "range" | "unproven";
  readonly candidates: number;
  /** The commits that may have made it slower, the measured one last. */
  readonly suspects: readonly {
    readonly id: string;
    readonly about: string;
    readonly inside: string | null;
  }[];
  /** The change from the last good commit to the last suspect, in fresh rounds; null if unknown. */
  readonly change: Change | null;
  /** The change from good to bad. */
  readonly followed: Change;
  /** The measured candidates in order, the fresh rounds last. */
  readonly steps: readonly BisectionStep[];
}

/** Returns the result of a bisection, with the path to it as a table. */
export function bisectionText(
  { outcome, suspects, change, followed, steps }: BisectionOutcome,
  screen: Screen,
): string {
  const { metric } = followed;
  const abouts = suspects.map(({ about }) => about);
  const last = suspects.at(-1);
  const size = change === null ? "not comparable" : describeFollowed(change);
  const isOne = suspects.length === 1;
  const labels = distinct(steps.map(({ label }) => label));
  const table = makeTable(steps, [
    numbers("Step", ({ label }) => String(labels.indexOf(label) + 1)),
    words("Candidate", ({ label }) => label),
    numbers(FIGURES[metric].column.heading, ({ slowdown }) => changeOf(slowdown, metric)),
    words("Verdict", ({ side }) => SIDES[side]),
    words("Report", ({ report }) => report ?? "–", 1),
  ]);
  const sentences = nonEmpty(
    outcome === "unproven" &&
      "Fresh rounds prove no slowdown there: it is spread over several, or came from outside.",
    isOne && last?.inside && `It is a merge; to search inside it: bisect ${last.inside}`,
    `From good to bad: ${describeFollowed(followed)}`,
    ...steps.map(({ label, why }) => why !== null && `Not measured: ${label}: ${why}`),
  );
  return [
    ...isOne
      ? [`${abouts[0]}: ${size}`]
      : [`One of these: ${size}`, ...abouts.map((about) => `  ${about}`)],
    ...wrapAll(sentences, screen.columns),
    "",
    ...draw(table, screen),
  ].join("\n");
}

/** Returns the size of a search in words: `64 candidates, 6 steps unless some are skipped or undecided`. */
export function describeSize(candidates: number): string {
  const steps = count(halvings(candidates), "step");
  return `${count(candidates, "candidate")}, ${steps} unless some are skipped or undecided`;
}

function changeOf(slowdown: number | null, metric: Change["metric"]): string {
  if (slowdown === null) return "–";
  return percent(isMoreBetter(metric) ? 1 / slowdown : slowdown);
}
