/** Makes the frame of a page: its head, title, description and facts. */
import { rankingsOf } from "../../analysis/rankings.ts";
import type { AnyReport, Report } from "../../model/report.ts";
import { changesTitle, changesVerdict } from "../tables/changes_table.ts";
import { markedRate, plusMinus, workloadNamer } from "../format.ts";
import { describeRanking } from "../ranking_text.ts";
import { asset, type Markup, markup, palette } from "./markup.ts";

/** Content security policy: the page loads nothing, even if a name in the report contains markup. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/** Returns a self-contained HTML page. */
export async function documentOf(
  { title, description, servers, header, main, report, source }: {
    readonly title: string;
    /** Summary in a sentence or two, for link previews. */
    readonly description: string;
    /** Number of servers that need a colour. */
    readonly servers: number;
    /** Content below the title. */
    readonly header: Markup;
    readonly main: Markup;
    /** The report with the version of Stampede. */
    readonly report: Pick<AnyReport, "versions">;
    /** The end of the footer: `from one report.` */
    readonly source: string;
  },
): Promise<string> {
  const styles = await Promise.all(
    ["colors", "page", "dots", "flame"].map(async (name) =>
      markup`${await asset(`${name}.css`)}\n`
    ),
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
${styles}${palette(servers)}
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
<footer><p>Made by Stampede ${report.versions.stampede ?? ""} ${source}</p></footer>
<script>
${await asset("page.js")}
</script>
</body>
</html>
`.text;
}

/** Maximum length of a description, in characters, as link previews show it. */
const LONGEST_DESCRIPTION = 300;

/** Cuts a description after the last whole word that fits. */
function shortened(text: string): string {
  if (text.length <= LONGEST_DESCRIPTION) return text;
  return `${text.slice(0, LONGEST_DESCRIPTION).replace(/\s+\S*$/, "")} …`;
}

/** Returns the title of a report. */
export function titleOf(report: AnyReport): string {
  if (report.kind === "distributed") return `${report.server} at ${scenariosIn(report.scenarios)}`;
  const { results, blocks, changes, experiment: { kind, variants } } = report;
  if (kind === "versus" && changes !== null) {
    const [base, head] = variants.map(({ label }) => label);
    return changesTitle(changes, { base: base ?? "base", head: head ?? "head" });
  }
  const servers = variants.map(({ id }) => id).filter((id) =>
    results.some(({ variant }) => variant === id) ||
    blocks.some(({ block }) => block.variants.includes(id))
  );
  return `${servers.length === 1 ? servers[0] : `${servers.length} HTTP servers`} at ${
    scenariosIn([...results, ...blocks.map(({ block }) => block)])
  }`;
}

/** Names the scenario of measurements, or counts the scenarios. */
function scenariosIn(measured: readonly { readonly scenario: string }[]): string {
  const scenarios = [...new Set(measured.map(({ scenario }) => scenario))];
  return scenarios.length === 1 ? `${scenarios[0]}` : `${scenarios.length} scenarios`;
}

/** Returns a summary of a report for link previews. */
export function descriptionOf(report: Report): string {
  const { changes, results } = report;
  if (changes !== null) return changesVerdict(changes);
  const named = workloadNamer(results);
  const rankings = rankingsOf(report);
  if (rankings.length > 0) {
    return rankings.map((one) => `${named(one)}: ${describeRanking(one)}.`).join(" ");
  }
  const isAlone = report.experiment.variants.length === 1;
  const reached = results.flatMap((result) => {
    const { requestsPerS, variant } = result;
    if (requestsPerS === null) return [];
    const who = isAlone ? named(result) : `${named(result)} of ${variant}`;
    return [`${who}: ${markedRate(requestsPerS.median, result)}/s${plusMinus(requestsPerS)}`];
  });
  return reached.length === 0 ? "Nothing was measured." : `${reached.join("; ")}.`;
}

/** Returns the time of a report to the minute: `2026-01-31 12:00 UTC`. */
export function timeOf({ createdAt }: { readonly createdAt: string }): string {
  return `${createdAt.slice(0, 16).replace("T", " ")} UTC`;
}

/** Returns the time, machine and version of a report. */
export function facts(report: Report): string {
  const { commit, host, versions } = report;
  return [
    timeOf(report),
    `${host.cores} x ${host.cpuModel}`,
    `Deno ${versions.deno}`,
    ...(commit ? [`commit ${commit.id.slice(0, 12)}${commit.isDirty ? " with changes" : ""}`] : []),
  ].join(" · ");
}
