/** Draws reports as Markdown for GitHub. */
import { rankingsOf } from "../analysis/rankings.ts";
import type { AnyReport, Report } from "../model/report.ts";
import { printable } from "../model/text.ts";
import { environment, programsOf } from "./environment_text.ts";
import { warnings } from "./warnings.ts";
import { commandFor, wholeCommand } from "./reproduce.ts";
import { columnLegend, type Row, type Table } from "./table.ts";
import { describeRanking } from "./titles.ts";
import { experimentTables } from "./tables/experiment_tables.ts";
import { wideTables } from "./tables/report_tables.ts";
import { distinct, workloadNamer } from "./format.ts";

/** Returns the reports as Markdown for GitHub, one after the other. */
export function markdown(reports: readonly AnyReport[]): string {
  return reports.map((report) =>
    [
      "### Stampede\n",
      ...experimentTables(report).flatMap(({ verdict, caption, table, notes }) => [
        ...(verdict === undefined ? [] : [`**${markdownText(verdict)}**\n`]),
        ...(table.rows.length === 0 ? [] : [`${caption}:\n`, `${markdownTable(table)}\n`]),
        ...markdownList(notes),
        "",
      ]),
      ...(report.kind === "run" ? figuresOfRun(report) : originOf(report)),
    ].join("\n")
  ).join("\n---\n\n");
}

function figuresOfRun(report: Report): string[] {
  const { commit, results } = report;
  const changed = commit?.isDirty ? " with changes" : "";
  const state = commit && `, at commit ${commit.id.slice(0, 12)}${changed}`;
  const tables = wideTables(report);
  const named = workloadNamer(results);
  const rankings = rankingsOf(report).map((ranking) =>
    `- **${markdownText(named(ranking))}**: ${markdownText(describeRanking(ranking))}`
  );
  const commands = results.map((result) => {
    const name = `${result.scenario} of ${result.variant}`.replaceAll(/\s+/g, " ");
    return `# ${name}, ${result.connections} connections\n${commandFor(report, result)}`;
  });
  return [
    ...(rankings.length === 0 ? [] : [...rankings, ""]),
    ...tables.map((table) => `${markdownTable(table)}\n`),
    ...markdownList([...warnings(report), ...columnLegend(tables)]),
    "",
    ...originOf(report, state ?? "", environment(report)),
    ...(commands.length === 0 ? [] : [
      "<details><summary>Measure one row again</summary>\n",
      fenced(distinct(commands)),
      "</details>\n",
    ]),
  ];
}

function originOf(
  report: AnyReport,
  state = "",
  environment: readonly string[] = [],
): string[] {
  const { createdAt } = report;
  const { ofRun = [], ofServers = [] } = Object.groupBy(
    programsOf(report),
    ({ servers }) => servers.length === 0 ? "ofRun" : "ofServers",
  );
  const programs = [
    ofRun.map(({ name, version }) => `${name} ${version}`).join(", "),
    ...ofServers.map(({ name, version, servers }) => `${name} ${version}: ${servers.join(", ")}`),
  ];
  return [
    `Measured on ${createdAt.slice(0, 10)}${state}:\n`,
    ...markdownList([...environment, ...programs]),
    "",
    "Run it again:",
    "",
    fenced([wholeCommand(report)]),
  ];
}

/** Returns plain texts as the items of a Markdown list. */
export function markdownList(texts: readonly string[]): string[] {
  return texts.map((text) => `- ${markdownText(text)}`);
}

/** Returns a table in GitHub's Markdown. https://github.github.com/gfm/#tables-extension- */
export function markdownTable({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const whole = ({ cells, rest }: Row): string[] => {
    const texts = rest === undefined ? cells : [...cells, rest];
    const missing = Math.max(0, columns.length - texts.length);
    return [...texts.map(markdownText), ...Array<string>(missing).fill("")];
  };
  return [
    line(columns.map(({ heading }) => markdownText(heading))),
    line(columns.map(({ isNumber }) => isNumber ? "---:" : "---")),
    ...rows.map((row) => line(whole(row))),
  ].join("\n");
}

/**
 * Matches what GitHub turns into links: people (who get a notification), issues and addresses. It
 * searches the rendered text, without backslashes, so only a zero-width space prevents a link.
 * https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
 */
const LINKED = /[@#](?=\w)|GH(?=-\d)|www(?=\.)|:(?=\/\/)/gi;

/** Escapes a text for Markdown as one line. The result has no mark-up, links or mentions. */
export function markdownText(text: string): string {
  // A zero-width space marks the places, so that the entity itself is not escaped
  return printable(text).replaceAll(/\s*\n\s*/g, " ").replaceAll("\u200b", "")
    .replaceAll(LINKED, "$&\u200b")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_{}[\]|~#@$]/g, (mark) => `\\${mark}`)
    .replaceAll("\u200b", "&#8203;");
}

/** Returns lines of code in a Markdown fence. The fence is longer than any fence in the lines. */
function fenced(lines: readonly string[]): string {
  const text = lines.map(printable).join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}sh\n${text}\n${fence}\n`;
}
