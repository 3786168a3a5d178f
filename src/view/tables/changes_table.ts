import { SLICES_FLOOR } from "../../analysis/slice_ratios.ts";
import { isSweep } from "../../analysis/workloads.ts";
import type { Change, ChangeMetric, Changes } from "../../model/derived.ts";
import { count, fixed, microseconds, milliseconds, multiple, rate, share } from "../format.ts";
import { oneLine } from "../../model/text.ts";
import { describeReasons, withReason } from "../reasons.ts";
import type { Row, Table } from "../table.ts";

const VERDICTS: Readonly<Record<Change["verdict"], string>> = {
  faster: "faster",
  slower: "slower",
  same: "no detectable change",
  incomparable: "not comparable",
};

/** The figures that changes are told by. */
export const FIGURES: Readonly<
  Record<ChangeMetric, { readonly heading: string; readonly format: (value: number) => string }>
> = {
  serverCpuUs: { heading: "CPU/req", format: microseconds },
  requestsPerS: { heading: "Req/Sec", format: rate },
  p50Us: { heading: "p50", format: milliseconds },
  relativeCpu: { heading: "Rel. CPU", format: multiple },
};

/** Below that a floor changes no verdict that a reader would act on. */
const SMALLEST_FLOOR = 0.005;

/** Changes beside each other: base, head, and what is proven. */
export function changesTable({ changes }: Changes): Table {
  const isOfSweep = isSweep(changes);
  const isOpen = changes.some(({ perS }) => perS !== null);
  const names = ["Server", "Scenario", ...(isOfSweep ? [isOpen ? "Rate/s" : "Conns"] : [])];
  const column = (heading: string, isNumber: boolean, dropOrder: number): Table["columns"][0] => ({
    heading,
    isNumber,
    dropOrder,
  });
  return {
    columns: [
      ...names.map((heading) => column(heading, false, 0)),
      column("By", false, 0),
      column("Base", true, 2),
      column("Head", true, 2),
      column("Change", true, 0),
      column("95 % CI", true, 1),
      column("p (Holm)", true, 4),
      column("Verdict", false, 0),
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

/** The colours of a change: none unless something is proven. */
function tonesOf(verdict: Change["verdict"]): Pick<Row, "tones"> {
  if (verdict !== "slower" && verdict !== "faster") return {};
  const tone = verdict === "slower" ? "bad" : "good";
  return { tones: { Change: tone, Verdict: tone } };
}

/** What is to be known beside the table. */
export function changesNotes(
  { changes, machineRatio, neededRounds, noiseSource }: Changes,
): string[] {
  const tested = changes.filter(({ pValue }) => pValue !== null);
  const floors = tested.filter(({ floor, method, metric }) =>
    floor >= SMALLEST_FLOOR &&
    !(method === "slices" && metric !== "relativeCpu" && floor === SLICES_FLOOR[metric])
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
      "Change: the median of the rounds' ratios; Head: Base with that change. Detectable: the change that four of five such runs would have found.",
    ]),
    ...tested.flatMap((change) => whySame(change, tested.length)),
    ...methodNotes(changes),
    ...(byRelativeCpu.length > 0
      ? [
        `${
          byRelativeCpu.join(", ")
        }: by CPU/req, since a rate was the load generator's or the machine's, or its bottleneck unknown. More is slower. A server with time left shows less of a change than one at its limit.`,
      ]
      : []),
    ...(machineRatio !== null && Math.abs(machineRatio - 1) >= SMALLEST_FLOOR &&
        byWindows.length > 0
      ? [
        `The machine itself was ${share(Math.abs(machineRatio - 1))} ${
          machineRatio > 1 ? "slower" : "faster"
        } in HEAD, by a fixed piece of work before each window: changes of ${
          byWindows.join(", ")
        } up to that mean nothing.`,
      ]
      : []),
    ...(floors.length > 0
      ? [
        `Changes must exceed a floor (${floorsOf(floors)}): ${
          floors.map(({ scenario, floor }) => `${scenario} ${share(floor)}`).join(", ")
        }.`,
      ]
      : []),
    ...(noiseSource === null ? [] : [`The noise floor is that of ${noiseSource}.`]),
    ...(neededRounds !== null
      ? [
        `So few rounds can prove nothing in a family of ${
          count(tested.length, "comparison")
        }: it takes ${neededRounds} rounds, or fewer scenarios.`,
      ]
      : []),
  ];
}

/** Changes of at least this share look like one, although they are not proven. */
const LOOKS_LIKE_ONE = 0.05;

/** Explains why a change that looks like one is not proven; says nothing about other changes. */
function whySame(change: Change, family: number): string[] {
  const { verdict, ratio, confidenceInterval, floor, pValue, metric, scenario } = change;
  if (verdict !== "same" || ratio === null || confidenceInterval === null) return [];
  const { low, high } = confidenceInterval;
  const isAside = low > 1 || high < 1;
  if (!isAside && Math.abs(ratio - 1) < LOOKS_LIKE_ONE) return [];
  const why = !isAside
    ? "its 95 % confidence interval includes 0 %"
    : low <= 1 + floor && high >= 1 - floor
    ? `its interval reaches into the floor of ${share(floor)}`
    : `p is ${(pValue ?? 1).toPrecision(2)} for ${count(family, "comparison")} together, not 0.05`;
  return [
    `${scenario}: ${percent(ratio)} ${
      FIGURES[metric].heading
    } is no detectable change, since ${why}.`,
  ];
}

/** What the floors of these changes may be. */
function floorsOf(changes: readonly Change[]): string {
  const isRelativeCpu = changes.some(({ metric }) => metric === "relativeCpu");
  const isOther = changes.some(({ metric }) => metric !== "relativeCpu");
  return [
    "noise",
    ...(isRelativeCpu
      ? ["how far relative CPU times of the same code are apart from run to run"]
      : []),
    ...(isOther ? ["how much the machine's speed or the load generator's own cost changed"] : []),
  ].join(", or ");
}

/** How it was compared, where that was not by windows alone. */
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
        "Measured in slices: both servers are alive, and the load changes sides every few milliseconds. " +
        "Ratios are sharp; figures are those of slices, in which a server costs a little more than alone. " +
        `Two folders of the same code may differ by ${
          share(SLICES_FLOOR.serverCpuUs)
        } of CPU/req and ` +
        `${share(SLICES_FLOOR.requestsPerS)} of the others: less counts for nothing.`,
      ]
      : []),
    ...(relativeCpu.length > 0
      ? [
        `${
          relativeCpu.join(", ")
        }: by relative CPU time: for a response, over that of the reference server in the same slices; what changes the machine changes both.`,
      ]
      : []),
    ...(windows.length > 0
      ? [
        `${windows.join(", ")}: by windows, ${
          slices.length > 0
            ? "since its responses come in waves"
            : "since there is no relative CPU time in both files"
        }.`,
      ]
      : []),
  ];
}

function figures(change: Change): string[] {
  const { metric, base, ratio, confidenceInterval, pValue, verdict, minimumDetectableChange } =
    change;
  const { heading, format } = FIGURES[metric];
  return [
    heading,
    format(base ?? NaN),
    // Medians of each side may differ otherwise than the median of the rounds' ratios does
    format((base ?? NaN) * (ratio ?? NaN)),
    percent(ratio ?? NaN),
    confidenceInterval === null
      ? "–"
      : `${percent(confidenceInterval.low)} to ${percent(confidenceInterval.high)}`,
    pValue === null ? "–" : pValue.toPrecision(2),
    VERDICTS[verdict],
    minimumDetectableChange === null ? "none" : share(minimumDetectableChange),
  ];
}

/** A ratio as a signed change: `+3.2 %`. */
export function percent(ratio: number): string {
  const change = 100 * (ratio - 1);
  return `${change < 0 ? "−" : "+"}${fixed(Math.abs(change), 1)} %`;
}
