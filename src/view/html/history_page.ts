/** Makes the history of results, with its changes. */
import { historiesOf, type ResultHistory } from "../../analysis/histories.ts";
import { byWorkload, isSameWorkload } from "../../analysis/keys.ts";
import type { IndexEntry } from "../../model/report.ts";
import { count, UNKNOWN } from "../../model/text.ts";
import { markedRate, microseconds, multiple, namer, rate, workloadNamer } from "../format.ts";
import {
  alikeRuns,
  datesOf,
  describeChangePoint,
  nameOfRun,
  withoutChanges,
} from "../tables/history_table.ts";
import { type Chart, figure, overTime } from "./chart.ts";
import { colorOf, listItems, type Markup, markup } from "./markup.ts";

/** The metrics that are followed; those that are comparable between days and machines come first. */
const FOLLOWED = [
  { metric: "relativeCpu", title: "CPU time relative to the reference", format: multiple },
  { metric: "requestsPerS", title: "Req/Sec", format: rate },
  { metric: "serverCpuUs", title: "CPU per request", format: microseconds },
] as const;

/** Returns changes and history of each workload, oldest entry first, apart for runs with other settings. */
export function historySections(
  entries: readonly IndexEntry[],
  servers: readonly string[],
): Markup[] {
  return sectionsOf(entries, (entries) => historyOf(entries, servers));
}

/** Does the same for one server, with one chart for each workload: of the first metric that is known. */
export function briefHistory(entries: readonly IndexEntry[], server: string): Markup[] {
  return sectionsOf(entries, (entries) => {
    const histories = historiesOf(entries);
    const workloads = byWorkload(histories).map(([workload]) => workload);
    const named = workloadNamer(workloads);
    const charts = workloads.map((workload) => {
      const own = histories.filter((history) => isSameWorkload(history, workload));
      const name = named(workload);
      const [chart] = FOLLOWED.flatMap((followed) =>
        chartOf(name, own, entries, [server], {
          ...followed,
          title: `${name}: ${followed.title}`,
        }) ?? []
      );
      return chart && figure(chart, `${name} over time`);
    });
    return markup`${changesOf(histories, entries)}
<div class="charts">${charts}</div>`;
  });
}

/** Returns the changes as sections; empty without changes. */
export function changesSections(entries: readonly IndexEntry[]): Markup[] {
  const changed = entries.length > 1 &&
    alikeRuns(entries).some(({ entries }) =>
      historiesOf(entries).some(({ changes }) => changes.length > 0)
    );
  return changed ? sectionsOf(entries, (entries) => changesOf(historiesOf(entries), entries)) : [];
}

function sectionsOf(
  entries: readonly IndexEntry[],
  contentOf: (entries: readonly IndexEntry[]) => Markup,
): Markup[] {
  return alikeRuns(entries).filter(({ entries }) => entries.length > 1)
    .map(({ entries, peculiarity }, i) => {
      const of = peculiarity === "" ? "" : ` (${peculiarity})`;
      return markup`<section id="${i === 0 ? "history" : `history-${i + 1}`}"><h2>Over ${
        count(entries.length, "run")
      }${of}</h2>
${contentOf(entries)}</section>`;
    });
}

function historyOf(entries: readonly IndexEntry[], servers: readonly string[]): Markup {
  const histories = historiesOf(entries);
  const workloads = byWorkload(histories).map(([workload]) => workload);
  const named = workloadNamer(workloads);
  const hasMachines = new Set(entries.map(({ machine }) => machine)).size > 1;
  const charts = workloads.map((workload) => {
    const name = named(workload);
    const own = histories.filter((history) => isSameWorkload(history, workload));
    const drawn = FOLLOWED.map((followed) => chartOf(name, own, entries, servers, followed))
      .filter((chart) => chart !== null).map((chart) => figure(chart, `${name} over time`));
    return drawn.length === 0 ? null : markup`<h3>${name}</h3><div class="charts">${drawn}</div>`;
  });
  return markup`${changesOf(histories, entries)}
<p>From the oldest run to the newest, each with its 95 % confidence interval.${
    hasMachines &&
    " The runs come from different machines, which may explain changes of rates and CPU time."
  }</p>
${charts}`;
}

function changesOf(histories: readonly ResultHistory[], entries: readonly IndexEntry[]): Markup {
  const named = namer(histories);
  const changes = histories.flatMap((history) =>
    history.changes.map((change) => ({
      after: change.after,
      text: `${named(history)}: ${describeChangePoint(change, entries)}`,
    }))
  ).toSorted((a, b) => b.after - a.after);
  if (changes.length === 0) return markup`<p>${withoutChanges(histories)}</p>`;
  return markup`<p>Changes of the relative CPU time per response:</p>
<ul class="changes">${listItems(changes.map(({ text }) => text))}</ul>`;
}

function chartOf(
  workload: string,
  histories: readonly ResultHistory[],
  entries: readonly IndexEntry[],
  servers: readonly string[],
  { metric, title, format }: Omit<typeof FOLLOWED[number], "title"> & { readonly title: string },
): Chart | null {
  const known = histories.filter(({ results }) => results.some((result) => result?.[metric]))
    .toSorted((a, b) => servers.indexOf(a.variant) - servers.indexOf(b.variant));
  if (known.length === 0) return null;
  const names = datesOf(entries);
  const headings = entries.map((entry, i) =>
    entry.commit === null ? names[i] ?? "" : `${names[i]} ${nameOfRun(entry)}`
  );
  // Only the relative CPU time is searched for changes
  const marks = metric !== "relativeCpu"
    ? []
    : known.flatMap(({ variant, changes }) =>
      changes.map((change) => ({
        ...change,
        server: variant,
        text: `${variant}: ${describeChangePoint(change, entries)}`,
      }))
    );
  return overTime({
    title,
    note: `Median of each run, ${headings[0]} to ${headings.at(-1)}.${
      marks.length > 0 ? " Dashed: a change." : ""
    } The axis begins below the lowest interval.`,
    names,
    headings,
    lines: known.map(({ variant, results }) => ({
      server: variant,
      color: colorOf(servers.indexOf(variant)),
      estimates: results.map((result) => result && result[metric]),
      texts: results.map((result) => {
        const estimate = result?.[metric];
        if (!estimate) return UNKNOWN;
        const { median } = estimate;
        return metric === "requestsPerS" ? markedRate(median, result) : format(median);
      }),
    })),
    marks,
    format,
    label: `${title} at ${workload} from run to run`,
  });
}
