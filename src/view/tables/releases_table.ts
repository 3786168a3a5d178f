/** Makes the tables of releases: the figures of each, and its change from the release before it. */
import { byWorkload, isSameWorkload } from "../../analysis/keys.ts";
import { slicesFigure } from "../../analysis/slice_ratios.ts";
import type { Change, Changes, Result, ServerSummary } from "../../model/derived.ts";
import { FIGURES, type Metric } from "../../model/figures.ts";
import type { Report } from "../../model/report.ts";
import { oneLine, UNKNOWN } from "../../model/text.ts";
import {
  FORMATS,
  mebibytes,
  milliseconds,
  namer,
  range,
  seconds,
  workloadNamer,
} from "../format.ts";
import { describeReasons, describeStatus } from "../reasons.ts";
import {
  type CaptionedTable,
  type CellColumn,
  makeTable,
  numbers,
  type Row,
  words,
} from "../table.ts";
import { changesNotes } from "./changes_notes.ts";
import { percent, VERDICTS } from "./changes_table.ts";
import { changesVerdict } from "./changes_verdict.ts";

/** A release at a workload, with its changes from the release before it. */
interface ReleaseRow {
  readonly label: string;
  readonly result: Result | null;
  readonly server: ServerSummary | undefined;
  readonly changes: readonly Change[];
  readonly figureOf: (metric: Metric) => number | null;
}

const LEGEND =
  "Step: change from the release before, the Hodges-Lehmann estimate of the rounds' ratios, with its 95 % CI. CPU/req and Req/Sec come from slices; p99, start-up and memory from windows in some of the rounds, so they are less precise and not judged. Peak RSS includes what the load keeps in memory.";

/** Returns the verdict, and a table for each workload. The notes follow the last one. */
export function releasesTables(report: Report, changes: Changes): CaptionedTable[] {
  const named = workloadNamer(changes.changes);
  const { scenarios } = report.experiment;
  const place = ([{ scenario }]: readonly [Change, ...Change[]]): number =>
    scenarios.indexOf(scenario);
  const workloads = byWorkload(changes.changes).toSorted((a, b) => place(a) - place(b));
  return workloads.map(([workload], i, { length }) => ({
    ...(i === 0 && { verdict: changesVerdict(changes) }),
    caption: named(workload),
    table: makeTable(rowsOf(report, changes, workload), COLUMNS, textsOf),
    notes: i < length - 1 ? [] : [LEGEND, ...incomparable(changes), ...changesNotes(changes)],
  }));
}

function incomparable({ changes }: Changes): string[] {
  const named = namer(changes);
  return changes.filter(({ reasons }) => reasons.length > 0).map((change) =>
    `${oneLine(`${named(change)}: ${VERDICTS.incomparable}: ${describeReasons(change.reasons)}`)}.`
  );
}

function rowsOf(
  { experiment: { variants }, results, servers, blocks }: Report,
  { changes }: Changes,
  workload: Change,
): ReleaseRow[] {
  return variants.map(({ id, label }) => {
    const isOwn = (one: Change | Result): boolean =>
      one.variant === id && isSameWorkload(one, workload);
    return {
      label,
      result: results.find(isOwn) ?? null,
      server: servers.find((one) => one.id === id),
      changes: changes.filter(isOwn),
      figureOf: (metric) => slicesFigure(blocks, { ...workload, variant: id }, metric),
    };
  });
}

function figureAndStep(metric: Metric, dropOrder: number): CellColumn<ReleaseRow>[] {
  const { heading, format } = FIGURES[metric].column;
  const step = ({ changes }: ReleaseRow): Change | undefined =>
    changes.find((change) => change.metric === metric);
  return [
    numbers(heading, ({ figureOf }) => FORMATS[format](figureOf(metric) ?? NaN)),
    numbers("Step", (row) => {
      const ratio = step(row)?.ratio ?? null;
      return ratio === null ? UNKNOWN : percent(ratio);
    }),
    numbers("95 % CI", (row) => {
      const ends = step(row)?.confidenceInterval;
      return ends ? range(ends, percent) : UNKNOWN;
    }, dropOrder),
  ];
}

const COLUMNS: readonly CellColumn<ReleaseRow>[] = [
  words("Release", ({ label }) => label),
  ...figureAndStep("serverCpuUs", 3),
  ...figureAndStep("requestsPerS", 4),
  numbers("p99", ({ result }) => milliseconds(result?.p99Us ?? null), 2),
  numbers("Start-up", ({ server }) => seconds(server?.startUpS?.median ?? null), 2),
  numbers("Idle RSS", ({ server }) => mebibytes(server?.idleRssBytes ?? null), 1),
  numbers("Peak RSS", ({ result }) => mebibytes(result?.peakRssBytes ?? null), 1),
  words("Proven", ({ changes }) => {
    const proven = changes.filter(({ verdict }) => verdict === "slower" || verdict === "faster");
    return proven.map(({ verdict, metric }) =>
      `${FIGURES[metric].column.heading} ${VERDICTS[verdict]}`
    ).join(", ") || UNKNOWN;
  }),
];

function textsOf({ label, result }: ReleaseRow): Partial<Row> {
  if (result === null || result.status === "ok") return {};
  return { cells: [label], rest: oneLine(describeStatus(result)) };
}
