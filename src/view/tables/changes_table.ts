import { isSweep } from "../../analysis/keys.ts";
import type { Change, Changes } from "../../model/derived.ts";
import type { MergedChange, MergedFigure } from "../../model/distributed.ts";
import { FIGURES, slicesOf } from "../../model/figures.ts";
import { count, fixed, oneLine, share } from "../../model/text.ts";
import { bareMilliseconds, FORMATS, rate } from "../format.ts";
import { describeReasons, withReason } from "../reasons.ts";
import { column, type Row, type Table } from "../table.ts";

const VERDICTS: Readonly<Record<Change["verdict"], string>> = {
  faster: "faster",
  slower: "slower",
  same: "no detectable change",
  incomparable: "not comparable",
};

/** Smallest noise floor that the notes mention, as a share: a smaller one hardly affects a verdict. */
const SMALLEST_FLOOR = 0.005;

/** Returns the table of changes, with columns for base, head, the change and its verdict. */
export function changesTable({ changes }: Changes): Table {
  const isOfSweep = isSweep(changes);
  const isOpen = changes.some(({ perS }) => perS !== null);
  const names = ["Server", "Scenario", ...(isOfSweep ? [isOpen ? "Rate/s" : "Conns"] : [])];
  return {
    columns: [
      ...names.map((heading) => column(heading, false)),
      column("Metric", false),
      column("Base", true, 2),
      column("Head", true, 2),
      column("Change", true),
      column("95 % CI", true, 1),
      column("p (Holm)", true, 4),
      column("Verdict", false),
      column("Detectable", true, 3),
    ],
    rows: changes.map((change): Row => {
      const { variant, scenario, connections, perS, verdict, reasons } = change;
      const names = [
        variant,
        scenario,
        ...(isOfSweep ? [perS === null ? String(connections) : rate(perS)] : []),
      ];
      return reasons.length === 0
        ? {
          cells: [...names, ...figures(change)],
          leading: "Verdict",
          server: variant,
          ...tonesOf(verdict),
        }
        : {
          cells: names,
          rest: oneLine(withReason(VERDICTS[verdict], describeReasons(reasons))),
          server: variant,
        };
    }),
  };
}

/** Returns the colours of a proven change. */
function tonesOf(verdict: Change["verdict"]): Pick<Row, "tones"> {
  if (verdict !== "slower" && verdict !== "faster") return {};
  const tone = verdict === "slower" ? "bad" : "good";
  return { tones: { Change: tone, Verdict: tone } };
}

/** Returns the notes for the table of changes. */
export function changesNotes(
  { changes, machineRatio, neededRounds, noiseSource }: Changes,
): string[] {
  const tested = changes.filter(({ pValue }) => pValue !== null);
  const floors = tested.filter(({ floor, method, metric }) =>
    floor >= SMALLEST_FLOOR &&
    !(method === "slices" && metric !== "relativeCpu" && floor === slicesOf(metric).floor)
  );
  const byRelativeCpu = [
    ...new Set(
      tested.filter(({ metric, method }) => metric === "serverCpuUs" && method === "windows")
        .map(({ scenario }) => scenario),
    ),
  ];
  const byWindows = [
    ...new Set(tested.filter(({ method }) => method === "windows").map(({ scenario }) => scenario)),
  ];
  return [
    ...(tested.length === 0 ? [] : [
      "Change: Hodges-Lehmann estimate of the rounds' ratios; Head: Base times that ratio. Detectable: minimum detectable change, found by four of five such runs.",
    ]),
    ...tested.flatMap((change) => whySame(change, tested.length)),
    ...methodNotes(changes),
    ...(byRelativeCpu.length > 0
      ? [
        `${
          byRelativeCpu.join(", ")
        }: compared by CPU/req (less is better), because the server was not known to be the bottleneck. An idle server shows less of a change than a saturated one.`,
      ]
      : []),
    ...(machineRatio !== null && Math.abs(machineRatio - 1) >= SMALLEST_FLOOR &&
        byWindows.length > 0
      ? [
        `The machine was ${share(Math.abs(machineRatio - 1))} ${
          machineRatio > 1 ? "slower" : "faster"
        } in HEAD, by a fixed computation before each window: ignore smaller changes of ${
          byWindows.join(", ")
        }.`,
      ]
      : []),
    ...(floors.length > 0
      ? [
        `Changes must exceed a floor (${floorsOf(floors)}): ${
          floors.map(({ scenario, floor }) => `${scenario} ${share(floor)}`).join(", ")
        }.`,
      ]
      : []),
    ...(noiseSource === null ? [] : [`The noise floor comes from ${noiseSource}.`]),
    ...(neededRounds !== null
      ? [
        `Too few rounds to prove a change in ${
          count(tested.length, "comparison")
        }: use --rounds ${neededRounds}, or fewer scenarios.`,
      ]
      : []),
  ];
}

/**
 * Smallest unproven change that the notes explain, as a share. Readers would take it for a proven
 * change.
 */
const LOOKS_LIKE_ONE = 0.05;

/**
 * Explains why a large change is not proven; empty for small changes.
 *
 * @param family number of comparisons in Holm's correction
 */
function whySame(change: Change, family: number): string[] {
  const { verdict, ratio, confidenceInterval, floor, pValue, metric, scenario } = change;
  if (verdict !== "same" || ratio === null || confidenceInterval === null) return [];
  const { low, high } = confidenceInterval;
  const isAside = low > 1 || high < 1;
  if (!isAside && Math.abs(ratio - 1) < LOOKS_LIKE_ONE) return [];
  const why = !isAside
    ? "its 95 % CI includes 0 %"
    : low <= 1 + floor && high >= 1 - floor
    ? `its 95 % CI overlaps the floor of ${share(floor)}`
    : `p is ${(pValue ?? 1).toPrecision(2)} after Holm's correction for ${
      count(family, "comparison")
    }, above 0.05`;
  return [
    `${scenario}: ${percent(ratio)} ${
      FIGURES[metric].column.heading
    } is no detectable change, because ${why}.`,
  ];
}

/** Returns a phrase that says where the floors of these changes come from: `noise, or …`. */
function floorsOf(changes: readonly Change[]): string {
  const isRelativeCpu = changes.some(({ metric }) => metric === "relativeCpu");
  const isOther = changes.some(({ metric }) => metric !== "relativeCpu");
  return [
    "noise",
    ...(isRelativeCpu ? ["the run-to-run difference of relative CPU times of the same code"] : []),
    ...(isOther ? ["the change of the machine's speed, or of the load generator's CPU time"] : []),
  ].join(", or ");
}

/** Returns notes on the method, unless all changes come from windows. */
function methodNotes(changes: readonly Change[]): string[] {
  const of = (isWanted: (change: Change) => boolean): string[] => [
    ...new Set(
      changes.filter((change) => change.reasons.length === 0 && isWanted(change))
        .map(({ scenario }) => scenario),
    ),
  ];
  const relativeCpu = of(({ metric }) => metric === "relativeCpu");
  const slices = of(({ metric, method }) => method === "slices" && metric !== "relativeCpu");
  const windows = of(({ method }) => method === "windows");
  if (slices.length + relativeCpu.length === 0) return [];
  return [
    ...(slices.length > 0
      ? [
        "Measured in slices: both servers run, and the load alternates between them. " +
        "Ratios are precise; Base and Head come from slices, in which CPU/req is a little higher than alone. " +
        `Two folders with the same code can differ by ${
          share(slicesOf("serverCpuUs").floor)
        } in CPU/req and ` +
        `${
          share(slicesOf("requestsPerS").floor)
        } in other metrics: smaller changes are not proven.`,
      ]
      : []),
    ...(relativeCpu.length > 0
      ? [
        `${
          relativeCpu.join(", ")
        }: compared by CPU time per response relative to the reference server in the same slices, so that the machine's speed cancels out.`,
      ]
      : []),
    ...(windows.length > 0
      ? [
        `${windows.join(", ")}: compared by windows, because ${
          slices.length > 0
            ? "responses come in waves"
            : "one of the reports has no relative CPU time"
        }.`,
      ]
      : []),
  ];
}

function figures(change: Change): string[] {
  const { metric, base, ratio, confidenceInterval, pValue, verdict, minimumDetectableChange } =
    change;
  const { heading, format } = FIGURES[metric].column;
  const show = FORMATS[format];
  return [
    heading,
    show(base ?? NaN),
    // The ratio of the medians can differ from the median of the rounds' ratios
    show((base ?? NaN) * (ratio ?? NaN)),
    percent(ratio ?? NaN),
    confidenceInterval === null
      ? "–"
      : `${percent(confidenceInterval.low)} to ${percent(confidenceInterval.high)}`,
    pValue === null ? "–" : pValue.toPrecision(2),
    VERDICTS[verdict],
    minimumDetectableChange === null ? "none" : share(minimumDetectableChange),
  ];
}

/** Formats a ratio as a signed change: `+3.2 %`. */
export function percent(ratio: number): string {
  const change = 100 * (ratio - 1);
  return `${change < 0 ? "−" : "+"}${fixed(Math.abs(change), 1)} %`;
}

const NAMES: Readonly<Record<MergedFigure, string>> = {
  goodputPerS: "goodput/s",
  p50: "p50 ms",
  p90: "p90 ms",
  p99: "p99 ms",
  p999: "p99.9 ms",
};

/** Notes on what a comparison of merged runners (k6 on several machines) cannot show. */
export const MERGED_NOTES = [
  "Change: from base to head. Times are known by histogram bucket; brackets show the possible range of the change.",
  "Both are single runs without rounds: a change may be noise, and nothing is proven.",
] as const;

/** Returns the table of changes between two merged loads. */
export function mergedChangesTable(changes: readonly MergedChange[]): Table {
  return {
    columns: [
      column("Scenario", false),
      column("Figure", false),
      column("Base", true),
      column("Head", true),
      column("Change", true),
    ],
    rows: changes.map(({ scenario, figure, base, head, ratio }) => {
      const show = figure === "goodputPerS" ? rate : bareMilliseconds;
      const known = figure === "goodputPerS"
        ? ""
        : ` [${percent(ratio.low)}, ${ratio.high === null ? "?" : percent(ratio.high)}]`;
      return {
        cells: [scenario, NAMES[figure], show(base), show(head), percent(ratio.value) + known],
      };
    }),
  };
}
