/** Makes the frame of every page: head, title, style sheets and script. */
import type { AnyReport, Report } from "../../model/report.ts";
import { nonEmpty } from "../../model/text.ts";
import { minute } from "../format.ts";
import { titleOf } from "../titles.ts";
import { asset, type Markup, markup, palette } from "./markup.ts";

/** Content security policy: the page loads nothing, even if a name in the report contains markup. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/** The style sheets of the pages of a site that do not draw a report. */
export const SITE_STYLES = ["colors", "page", "site"];

/** Returns a page of a report, or of a site that contains it. */
export async function documentOf(
  report: AnyReport,
  {
    title = titleOf(report),
    description,
    servers = [],
    styles: names = ["colors", "page", "dots", "flame"],
    header,
    main,
    source,
  }: {
    readonly title?: string;
    readonly description: string;
    /** All servers of the page, which determine its colours. */
    readonly servers?: readonly string[];
    /** Names of the style sheets. */
    readonly styles?: readonly string[];
    readonly header: Markup;
    readonly main: Markup;
    readonly source: string;
  },
): Promise<string> {
  const styles = await Promise.all(
    names.map(async (name) => markup`${await asset(`${name}.css`)}\n`),
  );
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark">
<title>${title} – Stampede</title>
<meta name="description" content="${shortened(description)}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="Stampede">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${shortened(description)}">
<link rel="icon" href="data:,">
<style>
${styles}${palette(servers.length)}
</style>
</head>
<body>
<a class="skip" href="#main">To the figures</a>
<header>
<p class="brand">Stampede</p>
<h1>${title}</h1>
${header}
</header>
<main id="main">
${main}
</main>
<footer><p>Made by Stampede ${report.versions.stampede} from ${source}.</p></footer>
<script>
${await asset("page.js")}
</script>
</body>
</html>
`.text;
}

/** Shortens a description to 300 characters, as link previews show it. */
function shortened(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300).replace(/\s+\S*$/, "")} …`;
}

/** Returns the time of a report to the minute: `2026-01-31 12:00 UTC`. */
export function timeOf({ createdAt }: { readonly createdAt: string }): string {
  return `${minute(createdAt)} UTC`;
}

/** Returns the time, machine, version of Deno and commit of a report. */
export function facts(report: Report): string {
  const { commit, host, versions } = report;
  return nonEmpty(
    timeOf(report),
    `${host.cores} x ${host.cpuModel}`,
    `Deno ${versions.deno}`,
    commit && `commit ${commit.id.slice(0, 12)}${commit.isDirty ? " with changes" : ""}`,
  ).join(" · ");
}
