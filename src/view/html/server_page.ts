/** Makes the page of a server of a site: source, settings, results, history and evidence. */
import { count, nonEmpty } from "../../model/text.ts";
import { htmlTable, listItems, type Markup, markup } from "./markup.ts";
import {
  apartFrom,
  evidenceTable,
  ownStandings,
  runtimeOf,
  shownAt,
} from "../tables/standings_table.ts";
import { plainTable } from "../table.ts";
import { documentOf, SITE_STYLES } from "./document.ts";
import { briefHistory } from "./history_page.ts";
import { APART, costsSection, type Site, type SiteServer } from "./site_page.ts";

/** Returns the page of a server, in a folder next to the first page. */
export async function serverPage(site: Site, server: SiteServer): Promise<string> {
  const { id, name, language, framework, approach } = server;
  const runs = site.runs.filter(({ servers }) => servers.some((one) => one.id === id));
  const entries = runs.map((run) => ({
    ...run,
    results: run.results.filter(({ variant }) => variant === id),
  })).filter(({ results }) => results.length > 0);
  const about = nonEmpty(language, framework, `runtime: ${runtimeOf(server)}`, approach);
  const history = briefHistory(entries, id);
  return await documentOf(site.newest, {
    title: name,
    description: `${name} (${about.join(", ")}): results, settings, source and evidence.`,
    servers: [id],
    styles: SITE_STYLES,
    header: markup`<p class="facts"><code>${id}</code> · ${
      about.join(" · ")
    } · <a href="../index.html">all servers</a></p>`,
    main: markup`${sourceSection(site, server)}
${settingsSection(server)}
${resultsSection(site, id)}
${costsSection(site, id)}
${
      history.length > 0 ? history : markup`<section id="history"><h2>History</h2>
<p>${count(entries.length, "run")} so far. A history needs two that can be compared.</p></section>`
    }
<section id="evidence"><h2>Evidence</h2>
${
      htmlTable(evidenceTable(runs.toReversed(), "../"), {
        caption: "Every run with this server",
        sorts: false,
      })
    }
</section>`,
    source: count(runs.length, "report"),
  });
}

function sourceSection({ repository }: Site, { id, why, sources, scenarios }: SiteServer): Markup {
  const places = sources.map((path) =>
    repository === null
      ? markup`<code>${path}</code>`
      : markup`<a href="${repository}/${path}"><code>${path}</code></a>`
  );
  // The results have the causes
  const notes = Object.entries(scenarios).map(([scenario, { why: _why, ...notes }]) => ({
    cells: [scenario, Object.entries(notes).map(([key, value]) => `${key}: ${value}`).join("; ")],
  }));
  const table = plainTable(["Scenario", "How"], notes);
  return markup`<section id="source"><h2>Source</h2>
${
    places.length > 0
      ? markup`<ul class="notes">${listItems(places)}</ul>`
      : markup`<p>${id} is not a server of Stampede's suite.</p>`
  }
${why !== null && markup`<p>${why.replace(/\.?$/, ".")}</p>`}
<details><summary>${count(notes.length, "scenario")}</summary>
${htmlTable(table, { caption: "Implementation notes", sorts: false })}</details></section>`;
}

function settingsSection({ guide, settings }: SiteServer): Markup {
  const items = Object.entries(settings).map(([name, value]) => markup`${name}: ${value}`);
  return markup`<section id="settings"><h2>Settings</h2>
${
    guide !== null &&
    markup`<p><a href="${guide}">The guide to production</a> of its framework, runtime or language. The values here:</p>`
  }
${
    items.length > 0
      ? markup`<ul class="notes">${listItems(items)}</ul>`
      : markup`<p>Its manifest names no settings.</p>`
  }</section>`;
}

/** Returns the results on the first page, and the others of the server's own runs. */
function resultsSection({ runs }: Site, id: string): Markup {
  const shown = shownAt(runs);
  const joined = ownStandings(shown, id);
  const others = ownStandings(apartFrom(shown, runs, id), id);
  const isNone = joined.rows.length + others.rows.length === 0;
  return markup`<section id="results"><h2>Results</h2>
${isNone && markup`<p>There is no result: see the notes on the first page.</p>`}
${
    joined.rows.length > 0 &&
    htmlTable(joined, { caption: "In the table of all servers", sorts: true })
  }
${
    others.rows.length > 0 &&
    markup`<p>These results are not in the table of all servers: they come from ${APART}.</p>
${htmlTable(others, { caption: "Measured apart", sorts: true })}`
  }</section>`;
}
