/** Makes the table of changes, and names changes. */
import { isSweep } from "../../analysis/keys.ts";
import { COSTS } from "../../model/costs.ts";
import {
  type AnyChange,
  type Change,
  type Changes,
  type CostChange,
  isOfResponses,
} from "../../model/derived.ts";
import { FIGURES } from "../../model/figures.ts";
import { fixed, oneLine, share } from "../../model/text.ts";
import { FORMATS, multiple, range, rate } from "../format.ts";
import { describeReasons, withReason } from "../reasons.ts";
import { makeTable, numbers, type Row, type Table, words } from "../table.ts";

export const VERDICTS: Readonly<Record<Change["verdict"], string>> = {
  faster: "faster",
  slower: "slower",
  same: "no detectable change",
  incomparable: "not comparable",
};

/** Returns the table of changes, with columns for base, head, the change and its verdict. */
export function changesTable({ changes, costs }: Changes): Table {
  const isOfSweep = isSweep(changes);
  const isOpen = changes.some(({ perS }) => perS !== null);
  const loadOf = ({ connections, perS }: Change): string =>
    perS === null ? String(connections) : rate(perS);
  const inUnit = (change: AnyChange, value: number): string => formatOf(change)(value);
  return makeTable(byScenario([...changes, ...costs]), [
    words("Server", ({ variant }) => variant),
    words("Scenario", ({ scenario }) => scenario ?? "–"),
    isOfSweep &&
    words(isOpen ? "Rate/s" : "Conns", (change) => isOfResponses(change) ? loadOf(change) : "–"),
    words("Metric", headingOf),
    numbers("Base", (change) => inUnit(change, change.base ?? NaN), 2),
    // The ratio of the medians can differ from the median of the rounds' ratios
    numbers("Head", (change) => inUnit(change, (change.base ?? NaN) * (change.ratio ?? NaN)), 2),
    numbers("Change", ({ ratio }) => percent(ratio ?? NaN)),
    numbers("95 % CI", ({ confidenceInterval: ends }) => ends ? range(ends, percent) : "–", 1),
    numbers("p (Holm)", ({ pValue }) => pValue === null ? "–" : pValue.toPrecision(2), 4),
    words("Verdict", verdictOf),
    numbers("Detectable", ({ minimumDetectableChange: size }) => {
      return size === null ? "none" : share(size);
    }, 3),
  ], (change): Partial<Row> => {
    const { variant: server, verdict, reasons } = change;
    if (reasons.length > 0) {
      const rest = oneLine(withReason(verdictOf(change), describeReasons(reasons)));
      const cells = isOfResponses(change)
        ? [change.scenario, ...(isOfSweep ? [loadOf(change)] : [])]
        : [change.scenario ?? "–", ...(isOfSweep ? ["–"] : []), headingOf(change)];
      return { cells: [server, ...cells], rest, server };
    }
    if (verdict !== "slower" && verdict !== "faster") return { leading: "Verdict", server };
    const tone = verdict === "slower" ? "bad" : "good";
    return { leading: "Verdict", server, tones: { Change: tone, Verdict: tone } };
  });
}

/** Sorts changes by scenario, in order of first occurrence. Those without a scenario come last. */
function byScenario(all: readonly AnyChange[]): AnyChange[] {
  const groups = [...Map.groupBy(all, ({ scenario }) => scenario)];
  return groups.toSorted(([a], [b]) => Number(a === null) - Number(b === null))
    .flatMap(([, own]) => own);
}

/** Returns the name of a cost, with the scenario if it has one: `text: p99`. */
export function nameOf(change: CostChange): string {
  return whereOf(change) + headingOf(change);
}

/** Returns the scenario of a cost and a colon; nothing without one. */
export function whereOf({ scenario }: AnyChange): string {
  return scenario === null ? "" : `${scenario}: `;
}

/** Returns the name of a change's figure or cost. */
export function headingOf(change: AnyChange): string {
  return isOfResponses(change)
    ? FIGURES[change.metric].column.heading
    : COSTS[change.metric].heading;
}

function formatOf(change: AnyChange): (value: number) => string {
  return FORMATS[
    isOfResponses(change) ? FIGURES[change.metric].column.format : COSTS[change.metric].format
  ];
}

function verdictOf(change: AnyChange): string {
  const { verdict } = change;
  if (isOfResponses(change)) return VERDICTS[verdict];
  return verdict === "slower" ? "more" : verdict === "faster" ? "less" : VERDICTS[verdict];
}

/** Ratio from which a change is a multiple: `x 12`. */
const MULTIPLE = 10;

/** Formats a ratio as a signed change, `+3.2 %`, or as a multiple, `x 12.0`. */
export function percent(ratio: number): string {
  if (ratio >= MULTIPLE) return `x ${multiple(ratio)}`;
  const change = 100 * (ratio - 1);
  return `${change < 0 ? "−" : "+"}${fixed(Math.abs(change), 1)} %`;
}
