/** Makes the table of changes, its notes, and the verdict in one or two sentences. */
import { isInconclusive, isRegression } from "../../analysis/changes.ts";
import { isSweep } from "../../analysis/keys.ts";
import { groupOf, thresholdOf } from "../../analysis/cost_changes.ts";
import { COSTS, NO_THRESHOLDS, type Thresholds } from "../../model/costs.ts";
import {
  type AnyChange,
  type Change,
  type Changes,
  type CostChange,
  isOfResponses,
} from "../../model/derived.ts";
import { FIGURES, slicesOf } from "../../model/figures.ts";
import { count, fixed, nonEmpty, oneLine, share } from "../../model/text.ts";
import { distinct, FORMATS, multiple, namer, range, rate, span } from "../format.ts";
import { describeReasons, withReason } from "../reasons.ts";
import { makeTable, numbers, type Row, type Table, words } from "../table.ts";

export const VERDICTS: Readonly<Record<Change["verdict"], string>> = {
  faster: "faster",
  slower: "slower",
  same: "no detectable change",
  incomparable: "not comparable",
};

/** Smallest noise floor that the notes mention, as a share: a smaller one hardly affects a verdict. */
const SMALLEST_FLOOR = 0.005;

/** Returns the table of changes, with columns for base, head, the change and its verdict. */
export function changesTable({ changes, costs }: Changes): Table {
  const isOfSweep = isSweep(changes);
  const isOpen = changes.some(({ perS }) => perS !== null);
  const loadOf = ({ connections, perS }: Change): string =>
    perS === null ? String(connections) : rate(perS);
  const inUnit = (change: AnyChange, value: number): string => formatOf(change)(value);
  return makeTable<AnyChange>([...changes, ...costs], [
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
        : [change.scenario ?? "–", headingOf(change)];
      return { cells: [server, ...cells], rest, server };
    }
    if (verdict !== "slower" && verdict !== "faster") return { leading: "Verdict", server };
    const tone = verdict === "slower" ? "bad" : "good";
    return { leading: "Verdict", server, tones: { Change: tone, Verdict: tone } };
  });
}

/** Returns the name of a cost, with the scenario if it has one: `text: p99`. */
export function nameOf(change: CostChange): string {
  return whereOf(change) + headingOf(change);
}

function whereOf({ scenario }: AnyChange): string {
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

/** Returns the notes for the table of changes. */
export function changesNotes(
  { changes, costs, machineRatio, neededRounds, noiseSource }: Changes,
): string[] {
  const tested = changes.filter(({ pValue }) => pValue !== null);
  const ofCosts = costs.filter(({ pValue }) => pValue !== null);
  const floors = tested.filter(({ floor, method, metric }) =>
    floor >= SMALLEST_FLOOR &&
    !(method === "slices" && metric !== "relativeCpu" && floor === slicesOf(metric).floor)
  );
  const windows = tested.filter(({ method }) => method === "windows");
  const comparisons = count(tested.length + ofCosts.length, "comparison");
  const drift = (machineRatio ?? 1) - 1;
  const drifted = `${share(Math.abs(drift))} ${drift > 0 ? "slower" : "faster"}`;
  const floorTexts = floors.map(({ scenario, floor }) => `${scenario} ${share(floor)}`);
  const byWindows = scenariosOf(windows);
  const byCpu = scenariosOf(windows.filter(({ metric }) => metric === "serverCpuUs"));
  return nonEmpty(
    tested.length + ofCosts.length > 0 &&
      "Change: Hodges-Lehmann estimate of the rounds' ratios; Head: Base times that ratio. Detectable: minimum detectable change, found by four of five such runs.",
    ...[...tested, ...ofCosts].map((change) => whySame(change, comparisons)),
    ...costNotes(costs),
    ...methodNotes(changes),
    byCpu !== "" &&
      `${byCpu}: compared by CPU/req (less is better), because the server was not known to be the bottleneck. An idle server shows less of a change than a saturated one.`,
    Math.abs(drift) >= SMALLEST_FLOOR && windows.length > 0 &&
      `The machine was ${drifted} in HEAD, by a fixed computation before each window: ignore smaller changes of ${byWindows}.`,
    floors.length > 0 &&
      `Changes must exceed a floor (${originOf(floors)}): ${floorTexts.join(", ")}.`,
    noiseSource !== null && `The noise floor comes from ${noiseSource}.`,
    neededRounds !== null &&
      `Too few rounds to prove a change in ${comparisons}: use --rounds ${neededRounds}, or fewer scenarios${
        ofCosts.length > 0 ? " or costs" : ""
      }.`,
  );
}

function costNotes(costs: readonly CostChange[]): string[] {
  const loaded = costs.filter(({ perS }) => perS !== null);
  const loads = distinct(loaded.map(({ scenario, perS }) => `${scenario} ${rate(perS)}/s`));
  const late = loaded.filter(({ lateRounds }) => lateRounds > 0)
    .map((change) => `${nameOf(change)} ${change.lateRounds}`);
  return nonEmpty(
    costs.some(({ perS, pValue }) => perS === null && pValue !== null) &&
      "Start-up, memory and idle costs are measured in a fresh process of each round; start-up is the median of three starts.",
    loads.length > 0 &&
      `Tails and peak memory are those of an open loop, at a tenth of the slower side's rate: ${
        loads.join(", ")
      }.`,
    late.length > 0 && `Rounds left out, because the load generator was late: ${late.join(", ")}.`,
  );
}

function scenariosOf(changes: readonly Change[]): string {
  return distinct(changes.map(({ scenario }) => scenario)).join(", ");
}

/** Smallest unproven change that the notes explain, as a share: readers would take it for a proven one. */
const LOOKS_LIKE_ONE = 0.05;

function whySame(change: AnyChange, comparisons: string): string | null {
  const { verdict, ratio, confidenceInterval, floor, pValue } = change;
  if (verdict !== "same" || ratio === null || confidenceInterval === null) return null;
  const { low, high } = confidenceInterval;
  const isAside = low > 1 || high < 1;
  if (!isAside && Math.abs(ratio - 1) < LOOKS_LIKE_ONE) return null;
  const why = !isAside
    ? "its 95 % CI includes 0 %"
    : low <= 1 + floor && high >= 1 - floor
    ? `its 95 % CI overlaps the floor of ${share(floor)}`
    : `p is ${(pValue ?? 1).toPrecision(2)} after Holm's correction for ${comparisons}, above 0.05`;
  const figure = `${percent(ratio)} ${headingOf(change)}`;
  return `${whereOf(change)}${figure} is no detectable change, because ${why}.`;
}

function originOf(floors: readonly Change[]): string {
  return nonEmpty(
    "noise",
    floors.some(({ metric }) => metric === "relativeCpu") &&
      "the run-to-run difference of relative CPU times of the same code",
    floors.some(({ metric }) => metric !== "relativeCpu") &&
      "the change of the machine's speed, or of the load generator's CPU time",
  ).join(", or ");
}

function methodNotes(changes: readonly Change[]): string[] {
  const of = (isWanted: (change: Change) => boolean): string =>
    scenariosOf(changes.filter((change) => change.reasons.length === 0 && isWanted(change)));
  const relativeCpu = of(({ metric }) => metric === "relativeCpu");
  const slices = of(({ metric, method }) => method === "slices" && metric !== "relativeCpu");
  const windows = of(({ method }) => method === "windows");
  if (slices === "" && relativeCpu === "") return [];
  const cpuFloor = share(slicesOf("serverCpuUs").floor);
  const floor = share(slicesOf("requestsPerS").floor);
  const why = slices === ""
    ? "one of the reports has no relative CPU time"
    : "responses come in waves";
  return nonEmpty(
    slices !== "" &&
      "Measured in slices: both servers run, and the load alternates between them. " +
        "Ratios are precise; Base and Head come from slices, in which CPU/req is a little higher than alone. " +
        `Two folders with the same code can differ by ${cpuFloor} in CPU/req and ${floor} in other metrics: smaller changes are not proven.`,
    relativeCpu !== "" &&
      `${relativeCpu}: compared by CPU time per response relative to the reference server in the same slices, so that the machine's speed cancels out.`,
    windows !== "" && `${windows}: compared by windows, because ${why}.`,
  );
}

/** Ratio from which a change is a multiple: `x 12`. */
const MULTIPLE = 10;

/** Formats a ratio as a signed change, `+3.2 %`, or as a multiple, `x 12.0`. */
export function percent(ratio: number): string {
  if (ratio >= MULTIPLE) return `x ${multiple(ratio)}`;
  const change = 100 * (ratio - 1);
  return `${change < 0 ? "−" : "+"}${fixed(Math.abs(change), 1)} %`;
}

/** Returns the verdict, slowdowns first. It marks those not proven to exceed their threshold. */
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
  const [slower, faster, same] = [of("slower"), of("faster"), of("same")];
  const apart = distinct(of("incomparable").map(named));
  const isProven = slower.length + faster.length +
      costs.filter(({ verdict }) => verdict === "slower" || verdict === "faster").length > 0;
  const equal = [...same, ...costs.filter(({ verdict }) => verdict === "same")];
  return nonEmpty(
    proven("Slower", slower),
    ofCosts("More", "slower"),
    proven("Faster", faster),
    ofCosts("Less", "faster"),
    equal.length > 0 && unchanged(equal, named, isProven),
    apart.length > 0 && `Not comparable: ${apart.join(", ")}.`,
  ).join(" ");
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
  const provenCosts = costs.filter(({ verdict }) => verdict === "slower" || verdict === "faster");
  const [first, firstCost] = [proven[0], provenCosts[0]];
  // Several metrics of a workload show the same change
  const others = new Set(proven.map(named)).size + provenCosts.length - 1;
  // Without a change, the verdict says what there is
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
