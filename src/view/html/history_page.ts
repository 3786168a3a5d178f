/** Makes the history of results, with its changes. */
import { historiesOf, type ResultHistory } from "../../analysis/histories.ts";
import { byWorkload, isSameWorkload, type Workload } from "../../analysis/keys.ts";
import type { MedianWithInterval } from "../../model/estimate.ts";
import type { IndexedResult, IndexEntry } from "../../model/report.ts";
import { count, UNKNOWN } from "../../model/text.ts";
import { markedRate, microseconds, multiple, rate, workloadNamer } from "../format.ts";
import {
  alikeRuns,
  datesOf,
  describeChangePoint,
  nameOfRun,
  withoutChanges,
} from "../tables/history_table.ts";
import { column } from "../table.ts";
import type { Chart } from "./chart.ts";
import { colorOf, legendOf } from "./item.ts";
import { type Mark, overTime, type Series } from "./line_chart.ts";
import { type Markup, markup } from "./markup.ts";
import { figure } from "./scenario_section.ts";

/** A metric that the history shows. */
interface Followed {
  readonly title: string;
  readonly of: (result: IndexedResult) => MedianWithInterval | null;
  readonly format: (value: number) => string;
  /** Formats a value for the table, with marks such as ≥; by default `format` does. */
  readonly textOf?: (value: number, result: IndexedResult) => string;
  /** Whether the history is searched for changes of the metric. */
  readonly isSearched?: boolean;
}

/** The metrics; those that are comparable between days and machines come first. */
const FOLLOWED: readonly Followed[] = [
  {
    title: "CPU time relative to the reference",
    of: ({ relativeCpu }) => relativeCpu,
    format: multiple,
    isSearched: true,
  },
  { title: "Req/Sec", of: ({ requestsPerS }) => requestsPerS, format: rate, textOf: markedRate },
  { title: "CPU per request", of: ({ serverCpuUs }) => serverCpuUs, format: microseconds },
];

/**
 * Returns the changes and the history of each workload.
 *
 * Runs with other settings, such as HTTP/2 or a single round, get a separate section. Among usual
 * runs, the different settings would look like changes.
 *
 * @param entries the runs, the oldest first
 * @param servers all servers of the page, in the order of their colours
 */
export function historySections(
  entries: readonly IndexEntry[],
  servers: readonly string[],
): Markup[] {
  return alikeRuns(entries).filter(({ entries }) => entries.length > 1).map((alike, i) =>
    historySection(alike.entries, servers, {
      id: i === 0 ? "history" : `history-${i + 1}`,
      peculiarity: alike.peculiarity,
    })
  );
}

function historySection(
  entries: readonly IndexEntry[],
  servers: readonly string[],
  { id, peculiarity }: { readonly id: string; readonly peculiarity: string },
): Markup {
  const histories = historiesOf(entries);
  const workloads: Workload[] = byWorkload(histories).map(([workload]) => workload);
  const named = workloadNamer(workloads);
  const machines = new Set(entries.map(({ machine }) => machine));
  const charts = workloads.map((workload) => {
    const own = histories.filter((history) => isSameWorkload(history, workload));
    const drawn = FOLLOWED.flatMap((followed) => {
      const chart = chartOf(named(workload), own, { entries, servers, followed });
      return chart === null ? [] : [figure(chart, `${named(workload)} over time`)];
    });
    return drawn.length === 0
      ? null
      : markup`<h3>${named(workload)}</h3><div class="charts">${drawn}</div>`;
  });
  return markup`<section id="${id}"><h2>Over ${count(entries.length, "run")}${
    peculiarity === "" ? null : ` (${peculiarity})`
  }</h2>
${changesOf(histories, entries, named)}
<p>From the oldest run to the newest, each with its 95 % confidence interval.${
    machines.size > 1
      ? " The runs come from different machines, which may explain changes of rates and CPU time."
      : ""
  }</p>
${charts}</section>`;
}

/** Returns the changes, the newest first. */
function changesOf(
  histories: readonly ResultHistory[],
  entries: readonly IndexEntry[],
  named: (workload: Workload) => string,
): Markup {
  const isServed = new Set(histories.map(({ variant }) => variant)).size > 1;
  const changes = histories.flatMap((history) =>
    history.changes.map((change) => ({ history, change }))
  ).toSorted((a, b) => b.change.after - a.change.after);
  if (changes.length === 0) return markup`<p>${withoutChanges(histories)}</p>`;
  return markup`<p>Changes of the relative CPU time per response:</p>
<ul class="changes">${
    changes.map(({ history, change }) => {
      const who = named(history) + (isServed ? ` of ${history.variant}` : "");
      return markup`<li>${who}: ${describeChangePoint(change, entries)}</li>`;
    })
  }</ul>`;
}

/** Returns the chart of a metric; null if no run has it. */
function chartOf(
  workload: string,
  histories: readonly ResultHistory[],
  { entries, servers, followed }: {
    readonly entries: readonly IndexEntry[];
    readonly servers: readonly string[];
    readonly followed: Followed;
  },
): Chart | null {
  const { title, of, format, textOf = format, isSearched = false } = followed;
  const known = histories.map((history) => ({
    history,
    estimates: history.results.map((result) => result && of(result)),
  })).filter(({ estimates }) => estimates.some((estimate) => estimate !== null))
    .toSorted((a, b) => servers.indexOf(a.history.variant) - servers.indexOf(b.history.variant));
  if (known.length === 0) return null;
  const dates = datesOf(entries);
  const names = entries.map((entry, i) =>
    entry.commit === null ? dates[i] ?? "" : `${dates[i]} ${nameOfRun(entry)}`
  );
  const series = known.map(({ history: { variant }, estimates }): Series => ({
    subject: { server: variant, text: variant },
    color: colorOf(servers.indexOf(variant)),
    estimates,
  }));
  const marks = known.flatMap(({ history: { variant, changes } }): Mark[] =>
    !isSearched ? [] : changes.map((change) => ({
      ...change,
      subject: { server: variant, text: `${variant}: ${describeChangePoint(change, entries)}` },
    }))
  );
  return {
    title,
    note: `Median of each run, ${names[0]} to ${names.at(-1)}.${
      marks.length > 0 ? " Dashed: a change." : ""
    } The axis begins below the lowest interval.`,
    legend: legendOf(series.map(({ subject, color }) => ({ label: subject.server, color }))),
    svg: overTime({
      names: dates,
      series,
      marks,
      format,
      label: `${title} at ${workload} from run to run`,
    }),
    table: {
      columns: ["Server", ...names].map((heading, i) => column(heading, i > 0)),
      rows: known.map(({ history: { variant, results }, estimates }) => ({
        server: variant,
        cells: [
          variant,
          ...estimates.map((estimate, i) => {
            const result = results[i];
            return estimate && result ? textOf(estimate.median, result) : UNKNOWN;
          }),
        ],
        values: [variant, ...estimates.map((one) => one?.median ?? null)],
      })),
    },
  };
}
