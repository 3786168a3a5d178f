/** Makes the first page of a site: the newest run, the changes, and links to all runs. */
import type { IndexEntry, Report } from "../../model/report.ts";
import { historyTable } from "../tables/history_table.ts";
import { descriptionOf, documentOf, facts, titleOf } from "./document.ts";
import { filter } from "./page.ts";
import { historySections } from "./history_page.ts";
import { type Markup, markup } from "./markup.ts";
import { overview } from "./overview.ts";
import { htmlTable } from "./html_table.ts";

/** A run of the site. */
export interface SiteRun extends IndexEntry {
  /** Path of the run's page, relative to the first page. */
  readonly page: string;
}

/** The page of another experiment, which is not part of the history. */
export interface OtherPage {
  readonly title: string;
  readonly createdAt: string;
  readonly page: string;
}

/** Parts of a site other than its runs. */
interface SiteExtras {
  /** Pages of other experiments, the oldest first. */
  readonly others: readonly OtherPage[];
  /**
   * Path of the page with the changes between the run on the first page and the newest other run of the same
   * kind. Null if no other run is of the same kind: measurement, smoke run or interrupted run.
   */
  readonly comparison: string | null;
}

/**
 * Returns the first page.
 *
 * @param runs the runs, the oldest first
 * @param newest the report for the first page
 */
export async function sitePage(
  runs: readonly SiteRun[],
  newest: Report,
  { others, comparison }: SiteExtras,
): Promise<string> {
  const servers = [
    ...new Set([
      ...newest.experiment.variants.map(({ id }) => id),
      ...runs.flatMap(({ results }) => results.map(({ variant }) => variant)),
    ]),
  ];
  const [page] = runs.slice(-1).map(({ page }) => page);
  return await documentOf({
    title: titleOf(newest),
    description: descriptionOf(newest),
    servers: servers.length,
    header: markup`<p class="facts">${facts(newest)}${
      page === undefined ? null : markup` · <a href="${page}">all figures of this run</a>`
    }${
      comparison === null
        ? null
        : markup` · <a href="${comparison}">changes since the previous run</a>`
    }</p>`,
    main: markup`${overview(newest, servers)}
${filter(newest, servers)}
${historySections(runs, servers)}
${runsSection(runs)}
${othersSection(others)}`,
    footer: `Made by Stampede ${newest.versions.stampede ?? ""} from ${
      runs.length === 1 ? "one report" : `${runs.length} reports`
    }.`,
  });
}

/** Returns the runs, the newest first, with links to their pages. */
function runsSection(runs: readonly SiteRun[]): Markup {
  const table = historyTable(runs.toReversed(), ({ page }) => page);
  return markup`<section id="runs"><h2>Every run</h2>
${htmlTable(table, { caption: "All runs", sorts: true })}
</section>`;
}

/** Returns the other experiments, the newest first. */
function othersSection(others: readonly OtherPage[]): Markup | null {
  if (others.length === 0) return null;
  const items = others.toReversed().map(({ title, createdAt, page }) =>
    markup`<li><a href="${page}">${title}</a>, ${createdAt.slice(0, 16).replace("T", " ")} UTC</li>`
  );
  return markup`<section id="others"><h2>Other experiments</h2>
<ul>${items}</ul>
</section>`;
}
