/** Makes the first page of a site: the table with its filters, the changes, and all runs. */
import type { ServerSummary } from "../../model/derived.ts";
import type { IndexEntry, Report } from "../../model/report.ts";
import { count, nonEmpty } from "../../model/text.ts";
import { distinct } from "../format.ts";
import { columnLegend } from "../table.ts";
import { historyTable, nameOfRun } from "../tables/history_table.ts";
import {
  apartFrom,
  evidenceTable,
  runtimeOf,
  type Shown,
  shownAt,
  type SiteRun,
  standingsTable,
} from "../tables/standings_table.ts";
import { costsTable } from "../tables/report_tables.ts";
import { descriptionOf, titleOf } from "../titles.ts";
import { documentOf, SITE_STYLES, timeOf } from "./document.ts";
import { changesSections, historySections } from "./history_page.ts";
import { htmlTable, listItems, type Markup, markup } from "./markup.ts";

/** A server of a site. */
export interface SiteServer extends ServerSummary {
  /** Path of its page, relative to the first page. */
  readonly page: string;
  /** Paths of its files in Stampede's repository; empty if it is not of the suite. */
  readonly sources: readonly string[];
}

/** The page of another experiment, which is not part of the history. */
export interface OtherPage extends Pick<IndexEntry, "createdAt"> {
  readonly page: string;
  readonly title: string;
}

/** The run with costs of most servers, and its page. */
export interface CostsPage extends Pick<IndexEntry, "createdAt"> {
  readonly page: string;
  readonly report: Report;
}

/** Everything that a site shows. */
export interface Site {
  /** The oldest first. */
  readonly runs: readonly SiteRun[];
  readonly servers: ReadonlyMap<string, SiteServer>;
  /** The newest of the most valuable runs. */
  readonly newest: Report;
  readonly others: readonly OtherPage[];
  /** Null without one. */
  readonly costs: CostsPage | null;
  /** Path of the page with the changes from the run before to the newest one; null without one. */
  readonly comparison: string | null;
  /** Address of the files of Stampede's repository; null if it is not known. */
  readonly repository: string | null;
}

/** Why results of a run are not in the table of all servers. */
export const APART =
  "runs that cannot be joined, such as those of another machine or other versions";

/** Returns the first page. */
export async function sitePage(site: Site): Promise<string> {
  const { runs, servers, newest, others, comparison } = site;
  const shown = shownAt(runs);
  const parts = shown.flatMap(({ parts }) => parts);
  const ids = distinct(
    parts.flatMap(({ standings }) => standings.rows.map(({ server = "" }) => server)),
  );
  const isAlone = servers.size === 1;
  const used = shown.length === 0 ? runs.slice(-1) : distinct(parts.map(({ run }) => run));
  const named = isAlone
    ? titleOf(newest)
    : `${count(ids.length, "HTTP server")} at ${count(shown.length, "scenario")}`;
  const items = others.toReversed().map((other) =>
    markup`<a href="${other.page}">${other.title}</a>, ${timeOf(other)}`
  );
  return await documentOf(newest, {
    title: named,
    description: isAlone
      ? descriptionOf(newest)
      : `${named}: requests per second, CPU time and latency, with confidence intervals, settings and evidence.`,
    servers: isAlone ? ids : [],
    styles: SITE_STYLES,
    header: origin(used, comparison),
    main: markup`${results(site, shown, ids)}
${costsSection(site)}
${reading(site, shown)}
${wrong(site)}
${isAlone ? historySections(runs, ids) : changesSections(runs)}
${runsSection(runs, isAlone)}
${
      items.length > 0 && markup`<section id="others"><h2>Other experiments</h2>
<ul>${listItems(items)}</ul>
</section>`
    }`,
    source: runs.length === 1 ? "one report" : `${runs.length} reports`,
  });
}

/** Returns the runs of the table: time, machine and commit of one, or the days of several. */
function origin(used: readonly SiteRun[], comparison: string | null): Markup {
  const days = used.map(({ createdAt }) => createdAt.slice(0, 10)).sort();
  const [only, ...others] = used;
  const facts = only !== undefined && others.length === 0
    ? markup`${
      nonEmpty(timeOf(only), only.machine, only.commit && `commit ${nameOfRun(only)}`).join(" · ")
    } · <a href="${only.page}">all figures of this run</a>`
    : markup`${count(used.length, "run")}, ${distinct([days[0], days.at(-1)]).join(" to ")}`;
  return markup`<p class="facts">${facts}${
    comparison !== null && markup` · <a href="${comparison}">changes since the previous run</a>`
  }</p>`;
}

function results(site: Site, shown: readonly Shown[], ids: readonly string[]): Markup {
  const { servers, runs } = site;
  const pageOf = (id: string): string => servers.get(id)?.page ?? "";
  const table = standingsTable(shown, { pageOf, up: "" });
  const used = runs.filter((run) =>
    shown.some(({ parts }) => parts.some((part) => part.run === run))
  ).toReversed();
  const notes = used.flatMap((run) =>
    run.notes.map((note) => `${run.createdAt.slice(0, 10)}: ${note}`)
  );
  return markup`<section id="results"><h2>Results</h2>
<p>A server's name leads to its source, its settings, its history and its evidence.</p>
${shown.length === 0 && markup`<p>There are no rates. The pages of the runs have all figures.</p>`}
${filters(shown, ids.flatMap((id) => servers.get(id) ?? []))}
${htmlTable(table, { caption: "Every result", sorts: true })}
<p class="legend">${columnLegend([table])}</p>
${missing(site, shown, ids)}
${
    notes.length > 0 &&
    markup`<details><summary>${count(notes.length, "note")} on these results</summary>
<ul class="notes">${listItems(notes)}</ul></details>`
  }
</section>`;
}

/** Returns the costs of all servers, or those of one, from the run with most servers. */
export function costsSection(
  { costs, servers }: Pick<Site, "costs" | "servers">,
  only: string | null = null,
): Markup | null {
  if (costs === null) return null;
  const { page, report } = costs;
  const own = report.servers.filter(({ id }) => only === null || id === only);
  const table = costsTable({ ...report, servers: own });
  if (table.rows.length === 0) return null;
  const up = only === null ? "" : "../";
  const linked = table.rows.map((row) => {
    const link = only === null ? servers.get(row.server ?? "")?.page : undefined;
    return link === undefined ? row : { ...row, link };
  });
  return markup`<section id="costs"><h2>Costs</h2>
<p>Costs apart from rates, from <a href="${up}${page}">the run of ${timeOf(costs)}</a>.</p>
${htmlTable({ ...table, rows: linked }, { caption: "Medians over the rounds", sorts: true })}
<p class="legend">${columnLegend([table])}</p></section>`;
}

/** Names the servers with results that are not in the table; null if there are none. */
function missing(
  { runs, servers }: Site,
  shown: readonly Shown[],
  ids: readonly string[],
): Markup | null {
  const apart = [...servers.keys()].filter((id) => apartFrom(shown, runs, id).length > 0).sort();
  if (apart.length === 0) return null;
  const sentence = (beginning: string, own: readonly string[]): Markup | false =>
    own.length > 0 &&
    markup`${beginning}: ${
      own.map((id, i) => markup`${i > 0 && ", "}<a href="${servers.get(id)?.page ?? ""}">${id}</a>`)
    }. `;
  return markup`<p>${sentence("Not in this table", apart.filter((id) => !ids.includes(id)))}${
    sentence("Not at every scenario", apart.filter((id) => ids.includes(id)))
  }The other results come from ${APART}.</p>`;
}

/** Returns the choices that the page's script offers. Without it, they are hidden, and the table is whole. */
function filters(shown: readonly Shown[], servers: readonly SiteServer[]): Markup | null {
  const names = shown.map(({ name }) => name);
  const scenarios = names.map((name) => markup`<option>${name}</option>`);
  const groups = ([
    ["Language", ({ language }) => language],
    ["Runtime", runtimeOf],
    ["Approach", ({ approach }) => approach],
  ] as readonly (readonly [string, (server: SiteServer) => string])[]).map(([label, of]) => {
    const options = [...Map.groupBy(servers, of)].sort(([a], [b]) => a.localeCompare(b));
    return options.length > 1 && choice(
      label,
      label.toLowerCase(),
      options.map(([value, own]) =>
        markup`<option data-servers="${own.map(({ id }) => id).join(",")}">${value}</option>`
      ),
    );
  });
  const byScenario = names.length > 1 && choice("Scenario", "only", scenarios, names[0]);
  if (!byScenario && groups.every((group) => !group)) return null;
  return markup`<fieldset class="filter" hidden><legend>Show</legend>${byScenario}${groups}<button type="button" data-servers="all">reset</button><output></output></fieldset>`;
}

function choice(label: string, name: string, options: readonly Markup[], first = "all"): Markup {
  return markup`<label>${label} <select name="${name}" data-first="${first}"><option>all</option>${options}</select></label>`;
}

function reading({ repository }: Site, shown: readonly Shown[]): Markup {
  const machines =
    distinct(shown.flatMap(({ parts }) => parts.map(({ run }) => run.machine))).length;
  const isMerged = shown.some(({ parts }) => parts.length > 1);
  const more = repository !== null &&
    markup`<a href="${repository}/docs/reading_results.md">All columns and marks</a>, <a href="${repository}/docs/methodology.md">the methodology</a>.`;
  return markup`<section id="reading"><h2>How to read this</h2>
<ul class="notes">${
    listItems([
      "Compare servers within one scenario. The servers of a run were measured in turns on one machine.",
      isMerged &&
      "Some scenarios come from several runs: see Run. There, compare only Rel. rate and Rel. CPU, because the machine's speed differs between runs. These scenarios have no ranks.",
      machines > 1 && "Different scenarios may come from different machines: see Run.",
      shown.some(({ parts }) => parts.length === 1) &&
      "Rank: only proven differences count. Servers with = share a rank. Ranks compare servers with the same number of workers.",
      "±: half of the 95 % confidence interval. A difference within the intervals may be chance.",
      "≥: the load generator or the machine was the bottleneck, so the server can do more. Its CPU/req still counts.",
      "†: a faster load generator replaced the usual one, which would have been the bottleneck.",
      "tuned: optimised for speed. All others are idiomatic: written as the framework's documentation recommends.",
      more,
    ].filter((item) => item !== false))
  }</ul></section>`;
}

function wrong({ servers, repository }: Site): Markup | null {
  if (servers.values().every(({ sources }) => sources.length === 0)) return null;
  const guide = "CONTRIBUTING.md";
  return markup`<section id="wrong"><h2>What is wrong with my framework? Send a change</h2>
<p>A setting that your framework's guide does not recommend, or code that is not idiomatic, is a defect of this benchmark.</p>
<ol class="notes">${
    listItems([
      "Click the server's name: its page has the source and each setting.",
      markup`Change its folder in <code>peers/</code>. Link the part of your documentation that recommends the change.`,
      markup`Check it: <code>deno task bench verify --servers my-server</code>.`,
      markup`Measure it against the old version: <code>deno task bench versus text --servers my-server --base main</code>.`,
      markup`Send the change. ${
        repository === null
          ? markup`<code>${guide}</code>`
          : markup`<a href="${repository}/${guide}#servers">${guide}</a>`
      } has the rules.`,
    ])
  }</ol></section>`;
}

function runsSection(runs: readonly SiteRun[], isAlone: boolean): Markup {
  const newestFirst = runs.toReversed();
  const table = isAlone
    ? historyTable(newestFirst, ({ page }) => page)
    : evidenceTable(newestFirst, "");
  return markup`<section id="runs"><h2>Every run</h2>
${htmlTable(table, { caption: "All runs", sorts: true })}
</section>`;
}
