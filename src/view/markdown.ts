import { rankingsOf } from "../analysis/rankings.ts";
import type { AnyReport, Report } from "../model/report.ts";
import { printable } from "../model/text.ts";
import { environment } from "./environment_text.ts";
import { warnings } from "./warnings.ts";
import { commandFor, quoted } from "./reproduce.ts";
import { columnLegend, type Row, type Table } from "./table.ts";
import { describeRanking } from "./ranking_text.ts";
import { experimentTables, wideTables } from "./tables/report_tables.ts";
import { workloadNamer } from "./format.ts";

/** Returns the reports as Markdown for GitHub, one after the other. */
export function markdown(reports: readonly AnyReport[]): string {
  return reports.map((report) =>
    [
      "### Stampede\n",
      ...experimentTables(report).flatMap(({ verdict, caption, table, notes }) => [
        ...(verdict === undefined ? [] : [`**${markdownText(verdict)}**\n`]),
        `${caption}:\n`,
        `${markdownTable(table)}\n`,
        ...notes.map((note) => `- ${markdownText(note)}`),
        "",
      ]),
      ...(report.kind === "run" ? figuresOfRun(report) : originOf(report)),
    ].join("\n")
  ).join("\n---\n\n");
}

/** Returns the figures and the origin of a run, and a command for each row. */
function figuresOfRun(report: Report): string[] {
  const { commit, results: cells } = report;
  const state = commit === null
    ? ""
    : `, at commit ${commit.id.slice(0, 12)}${commit.isDirty ? " with changes" : ""}`;
  const named = workloadNamer(cells);
  const commands = cells.map((cell) =>
    `# ${
      `${cell.scenario} of ${cell.variant}`.replaceAll(/\s+/g, " ")
    }, ${cell.connections} connections\n${commandFor(report, cell)}`
  );
  const rankings = rankingsOf(report).map((ranking) =>
    `- **${markdownText(named(ranking))}**: ${markdownText(describeRanking(ranking))}`
  );
  return [
    ...(rankings.length === 0 ? [] : [...rankings, ""]),
    ...wideTables(report).map((table) => `${markdownTable(table)}\n`),
    ...[...warnings(report), ...columnLegend(wideTables(report))]
      .map((text) => `- ${markdownText(text)}`),
    "",
    ...originOf(report, state, environment(report)),
    "<details><summary>Measure one row again</summary>\n",
    fenced([...new Set(commands)]),
    "</details>\n",
  ];
}

/** Returns the day of a report, what is known about the machine and the programs, and the command. */
function originOf(
  { createdAt, versions, command }: AnyReport,
  state = "",
  environment: readonly string[] = [],
): string[] {
  const programs = Object.entries(versions).map((entry) => entry.join(" ")).join(", ");
  return [
    `Measured on ${createdAt.slice(0, 10)}${state}:\n`,
    ...[...environment, programs].map((text) => `- ${markdownText(text)}`),
    "",
    "Run it again:",
    "",
    fenced([quoted(command)]),
  ];
}

/** Returns a table in GitHub's Markdown. https://github.github.com/gfm/#tables-extension- */
export function markdownTable({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const whole = ({ cells, rest }: Row): string[] => {
    const texts = [...cells, ...(rest === undefined ? [] : [rest])].map(markdownText);
    return [...texts, ...Array(Math.max(0, columns.length - texts.length)).fill("")];
  };
  return [
    line(columns.map(({ heading }) => markdownText(heading))),
    line(columns.map(({ isNumber }) => isNumber ? "---:" : "---")),
    ...rows.map((row) => line(whole(row))),
  ].join("\n");
}

/**
 * Matches the places that GitHub turns into links: people (who get a notification), issues and
 * addresses.
 *
 * GitHub searches the rendered text, in which backslashes are gone. Only a zero-width space in each
 * place prevents a link.
 * https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls
 */
const LINKED = /[@#](?=\w)|GH(?=-\d)|www(?=\.)|:(?=\/\/)/gi;

/**
 * Escapes a text for Markdown and puts it on one line. The result has no mark-up, links or mentions.
 */
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
