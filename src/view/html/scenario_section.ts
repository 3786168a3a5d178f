/** Makes the section of a scenario: its table, charts, flame graphs, evidence and checks. */
import { hotFunctions, usPerResponse } from "../../analysis/profiles.ts";
import type { FoldedStacks, Frame, Profile } from "../../model/profile.ts";
import type { Report } from "../../model/report.ts";
import { count, share } from "../../model/text.ts";
import { explain, functionName, whereTime } from "../explain.ts";
import { microseconds, workloadNamer } from "../format.ts";
import { commandsFor } from "../reproduce.ts";
import { plainTable, type Table, withColumns } from "../table.ts";
import { summaryTable } from "../tables/result_columns.ts";
import { figure, keysOf } from "./chart.ts";
import { chartsOf } from "./curves.ts";
import { htmlTable, listItems, type Markup, markup } from "./markup.ts";

/** Returns the section of a scenario. The order of the page's `servers` determines their colours. */
export function scenarioSection(
  report: Report,
  scenario: string,
  servers: readonly string[],
): Markup {
  const about = report.scenarios.find(({ id }) => id === scenario);
  const results = report.results.filter((result) => result.scenario === scenario);
  const table = tableOf(report, results);
  const caption = `${scenario}: every figure`;
  const charts = chartsOf(report, scenario, servers).map((chart) => figure(chart, scenario));
  // A tab replaces the indent of a line without a label
  const evidence = explain(report, [scenario], false).map((line) => line.replace(/^ {14}/, "\t"));
  const statements = about && count(about.queries, "database statement");
  return markup`<section class="scenario" id="${idOf(scenario)}" data-scenario="${scenario}">
<h2>${scenario}</h2>
${
    about &&
    markup`<p class="request">${about.title}: <code>${about.method} ${about.path}</code>${
      about.queries > 0 && `, ${statements} per response`
    }</p>`
  }
${htmlTable(table, { caption, sorts: true, servers })}
<div class="charts">${charts}</div>
${flames(report, scenario)}
<details><summary>Evidence for the bottlenecks</summary><pre tabindex="0" class="evidence">${
    evidence.join("\n")
  }</pre></details>
${
    about &&
    markup`<details><summary>Verified before every window: ${
      count(about.checks.length, "check")
    }</summary><ul>${listItems(about.checks)}</ul></details>`
  }
<details><summary>Measure it again</summary><pre tabindex="0">${
    commandsFor(report, results).join("\n")
  }</pre></details>
</section>
`;
}

/** Returns the id of a scenario's section in links. */
export function idOf(scenario: string): string {
  return `scenario-${scenario.replaceAll(/[^\w-]+/g, "-")}`;
}

// The rank is the first column, so that a phone shows it. The overview lists missing servers
function tableOf(report: Report, results: Report["results"]): Table {
  const servers = report.servers.filter(({ id }) => results.some(({ variant }) => variant === id));
  const table = summaryTable({ ...report, results, servers }, true);
  const headings = table.columns.map(({ heading }) => heading);
  const [rank, known] = [headings.indexOf("Rank"), headings.indexOf("Scenario")];
  if (rank < 0) return table;
  const others = headings.keys().filter((i) => i !== rank && i !== known);
  return withColumns(table, [rank, ...others]);
}

/** A profile with stacks. */
export type Drawn = Profile & { readonly foldedStacks: FoldedStacks };

/** Heights of a box and a row, in pixels. */
const [BOX, ROW] = [17, 18];
/** Maximum number of functions in all graphs of a page together, so that the page stays small. */
const MOST_ON_PAGE = 1000;
/** Number of functions that each graph may have in any case, even beyond {@linkcode MOST_ON_PAGE}. */
const LEAST_OF_EACH = 6;
const HOTTEST = 12;
/** Maximum number of graphs on a page with tables. A page with more graphs has no tables. */
const MOST_TABLES = 40;
/** Smallest share of the samples at which a function's box is wide enough for a name. */
const NAMED_SHARE = 0.02;
const KINDS = {
  own: "own files",
  package: "packages",
  runtime: "the runtime's modules",
  native: "not JavaScript",
} as const satisfies Record<Frame["kind"], string>;

function flames({ profiles, results }: Report, scenario: string): Markup | null {
  const drawn = profiles.filter((one): one is Drawn => one.foldedStacks !== null);
  const own = drawn.filter((profile) => profile.scenario === scenario);
  if (own.length === 0) return null;
  const most = Math.max(LEAST_OF_EACH, Math.floor(MOST_ON_PAGE / drawn.length));
  const named = workloadNamer(results);
  const legend = Object.entries(KINDS).map(([kind, label]) => ({ label, color: `var(--${kind})` }));
  const graphs = own.map((profile) => {
    const { variant, threads } = profile;
    const chart = {
      title: threads > 1 ? `${variant}, ${threads} threads` : variant,
      note: `${whereTime(profile)}.`,
      svg: flameGraph(profile, `${variant} at ${named(profile)}: functions by time`, most),
      table: drawn.length <= MOST_TABLES ? hottest(profile) : null,
    };
    return figure(chart, scenario, variant);
  });
  return markup`<div class="flames"><h3>CPU profiles</h3>
<p class="legend">V8 profiled each server in a separate process after the measurement. Profiling slows a server down, so no other figure comes from these processes. Each box is a function, below its caller; its width is its share of the JavaScript samples.${
    keysOf(legend)
  }</p>
${graphs}</div>
`;
}

/** How a box is drawn: the class of its colour, and texts after its name and in its title. */
interface Mark {
  readonly color: string;
  readonly after?: string;
  readonly title?: string;
}

/** Draws the functions of a profile as boxes below their callers, at most `most`. */
export function flameGraph(
  profile: Drawn,
  label: string,
  most: number,
  markOf: (frame: Frame) => Mark = ({ kind }) => ({ color: kind }),
): Markup {
  const { frames, inCalls } = profile.foldedStacks;
  const totals = frames.map(({ total }) => total).sort((a, b) => b - a);
  const least = totals[most - 1] ?? 0;
  const shown = placed(frames).filter(({ total }) => total >= least);
  const height = ROW * (1 + Math.max(0, ...shown.map(({ depth }) => depth)));
  const percent = (samples: number): string => `${(100 * samples / inCalls).toFixed(2)}%`;
  const boxes = shown.map((frame) => {
    const { depth, self, total, from, name } = frame;
    const called = functionName(frame);
    const { color, after = "", title = "" } = markOf(frame);
    const us = usPerResponse(profile, total);
    return markup`<svg x="${percent(from)}" y="${depth * ROW}" width="${
      percent(total)
    }" height="${BOX}" class="${color}"><title>${called}: self ${share(self / inCalls)}, total ${
      share(total / inCalls)
    }${us !== null && `, ${microseconds(us)} per response`}${title}</title><rect/>${
      total / inCalls >= NAMED_SHARE && markup`<text x="3" y="9">${after}${name || called}</text>`
    }</svg>`;
  });
  return markup`<svg role="img" aria-label="${label}" class="flame" style="height:${height}px">${boxes}</svg>`;
}

/** Places boxes, in samples: at the left edge of the caller, or after the caller's previous call. */
function placed(frames: readonly Frame[]): (Frame & { readonly from: number })[] {
  const ends: number[] = [];
  return frames.map((frame) => {
    const from = ends[frame.depth] ?? 0;
    ends[frame.depth] = from + frame.total;
    ends[frame.depth + 1] = from;
    return { ...frame, from };
  });
}

function hottest(profile: Drawn): Table {
  const { inCalls } = profile.foldedStacks;
  const rows = hotFunctions(profile).slice(0, HOTTEST).map(({ name, place, self, total }) => ({
    cells: [
      functionName({ name, place: null }),
      place ?? "",
      share(self / inCalls),
      share(total / inCalls),
      microseconds(usPerResponse(profile, self)),
    ],
  }));
  return plainTable(["Function", "Where", "Self", "Total", "Self per response"], rows, 2);
}
