/** Makes the HTML page of a comparison. */
import type { Changes } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import type { ChangesNotes } from "../changes_text.ts";
import { changesNotes, changesTable } from "../tables/changes_table.ts";
import { summaryTable } from "../tables/summary_table.ts";
import { changesPlot } from "./changes_plot.ts";
import { changesTitle, changesVerdict } from "../changes_verdict.ts";
import { documentOf } from "./document.ts";
import { type Markup, markup } from "./markup.ts";
import { htmlTable } from "./html_table.ts";
import { facts } from "./title.ts";

/** A compared report with its name. */
export interface ComparedReport {
  readonly name: string;
  readonly report: Report;
}

/** Returns the page of two compared reports: the changes, then every figure of both. */
export async function comparePage(
  base: ComparedReport,
  head: ComparedReport,
  changes: Changes,
  { gate, notes }: ChangesNotes,
): Promise<string> {
  const allNotes = [...gate, ...changesNotes(changes), ...notes];
  return await documentOf({
    description: changesVerdict(changes),
    title: changesTitle(changes, { base: base.name, head: head.name }),
    servers: 0,
    header: markup`<p class="facts">base: ${facts(base.report)}</p>
<p class="facts">head: ${facts(head.report)}</p>`,
    main: markup`<section id="overview"><h2>Changes</h2>
${changesPlot(changes, null)}
${htmlTable(changesTable(changes), { caption: "Changes from base to head", sorts: true })}
<ul class="notes">${allNotes.map((text) => markup`<li>${text}</li>`)}</ul></section>
${sectionOf("Base", base)}
${sectionOf("Head", head)}`,
    footer: `Made by Stampede ${head.report.versions.stampede ?? ""} from two reports.`,
  });
}

function sectionOf(heading: string, { name, report }: ComparedReport): Markup {
  return markup`<section><h2>${heading}: ${name}</h2>
${htmlTable(summaryTable(report, true), { caption: `${heading}: every figure`, sorts: true })}
</section>`;
}
