import { byTask, isSameTask } from "../../analysis/tasks.ts";
import type { Cell } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import type { Ranged } from "../../model/estimate.ts";
import { markedRate, microseconds, multiple, rate, UNKNOWN } from "../format.ts";
import { taskNamer } from "../tasks.ts";
import { axis, type Chart, draw, FAINT, type ItemApi, type Subject } from "./chart.ts";
import { colorOf } from "./item.ts";
import { type Markup, markup } from "./markup.ts";
import { figure } from "./scenario.ts";

/** What is followed over time. */
interface Followed {
  readonly title: string;
  readonly of: (cell: Cell) => Ranged | null;
  readonly format: (value: number) => string;
  /** In the table, with what is to be known of it; by default the same. */
  readonly told?: (value: number, cell: Cell) => string;
}

/** First what machines and days do not move. */
const FOLLOWED: readonly Followed[] = [
  {
    title: "Cost in reference answers",
    of: ({ cost }) => cost && { ...cost, median: cost.ratio },
    format: multiple,
  },
  {
    title: "Req/Sec",
    of: (cell) => cell.requestsPerS,
    format: rate,
    told: markedRate,
  },
  {
    title: "CPU per request",
    of: (cell) => cell.serverCpuUs,
    format: microseconds,
  },
];

/** One server over the runs. */
interface Line {
  readonly subject: Subject;
  readonly color: string;
  readonly estimates: readonly (Ranged | null)[];
  readonly texts: readonly string[];
}

/**
 * How each scenario went from report to report, in the order of time.
 *
 * @param servers all of them, in the order of their colours
 */
export function historySection(reports: readonly Report[], servers: readonly string[]): Markup {
  const cells = reports.flatMap((report) => report.cells);
  const tasks = byTask(cells).map(([cell]) => cell);
  const named = taskNamer(cells);
  const hosts = new Set(reports.map(({ host }) => `${host.cores} x ${host.cpuModel}`));
  const charts = (task: Cell): Markup[] =>
    FOLLOWED.flatMap((followed) => {
      const chart = over(reports, servers, task, followed);
      return chart === null ? [] : [figure(chart, `${named(task)} over time`)];
    });
  return markup`<section id="history"><h2>Over ${String(reports.length)} runs</h2>
<p>From the oldest to the newest, each with its 95 % interval.${
    hosts.size > 1 ? " The runs come from different machines: what changed may be the machine." : ""
  }</p>
${
    tasks.map((task) => markup`<h3>${named(task)}</h3><div class="charts">${charts(task)}</div>`)
  }</section>`;
}

/** Null if no report knows it. */
function over(
  reports: readonly Report[],
  servers: readonly string[],
  task: Cell,
  followed: Followed,
): Chart | null {
  const { title, format } = followed;
  const names = reports.map(nameOf);
  const lines = servers.map((server, place) => lineOf(reports, server, place, task, followed))
    .filter(({ estimates }) => estimates.some((estimate) => estimate !== null));
  if (lines.length === 0) return null;
  return {
    title,
    note: `Median of each run. ${names[0]} to ${names.at(-1)}.`,
    svg: draw({
      height: 240,
      label: `${title} at ${task.scenario} from run to run`,
      about: (series) => lines[series >> 1]?.subject ?? null,
      lines: new Map(lines.map(({ color, subject }) => [color, subject])),
      option: {
        grid: { left: 66, right: 18, top: 8, bottom: 26 },
        xAxis: {
          type: "category",
          data: names,
          axisTick: { show: false },
          axisLine: { show: false },
          axisLabel: { color: FAINT, hideOverlap: true },
        },
        // As high as the whiskers, which are no data to the library
        yAxis: { ...axis(format), min: 0, max: highest(lines) },
        series: lines.flatMap(({ color, estimates }) => [
          {
            type: "line",
            clip: false,
            symbolSize: 5,
            data: estimates.map((one) => one?.median ?? null),
            lineStyle: { color, width: 1.5 },
            itemStyle: { color },
          },
          {
            type: "custom",
            clip: false,
            data: estimates.map((_one, i) => [i, 0]),
            renderItem: ({ dataIndex }: { dataIndex: number }, api: ItemApi) =>
              whisker(dataIndex, api, estimates[dataIndex] ?? null),
          },
        ]),
      },
    }),
    table: {
      columns: ["Server", ...names].map((heading, i) => ({
        heading,
        isNumber: i > 0,
        dropOrder: 0,
      })),
      rows: lines.map(({ subject: { server }, estimates, texts }) => ({
        server,
        cells: [server, ...texts],
        values: [server, ...estimates.map((one) => one?.median ?? null)],
      })),
    },
  };
}

function highest(lines: readonly Line[]): number {
  return Math.max(
    ...lines.flatMap(({ estimates }) =>
      estimates.map((one) => one?.interval?.high ?? one?.median ?? 0)
    ),
  );
}

function lineOf(
  reports: readonly Report[],
  server: string,
  place: number,
  task: Cell,
  { of, format, told = format }: Followed,
): Line {
  const cells = reports.map(({ cells }) =>
    cells.find((cell) => cell.arm === server && isSameTask(cell, task)) ?? null
  );
  const estimates = cells.map((cell) => cell && of(cell));
  const texts = cells.map((cell, i) => {
    const estimate = estimates[i] ?? null;
    if (cell === null || estimate === null) return UNKNOWN;
    return told(estimate.median, cell);
  });
  return { subject: { server, text: server }, color: colorOf(place), estimates, texts };
}

function whisker(i: number, api: ItemApi, estimate: Ranged | null): object | null {
  if (!estimate?.interval) return null;
  const [x, y1] = api.coord([i, estimate.interval.low]);
  const [, y2] = api.coord([i, estimate.interval.high]);
  return { type: "line", shape: { x1: x, y1, x2: x, y2 }, style: { stroke: FAINT } };
}

/** A run by its commit, or else by its time. */
function nameOf({ commit, createdAt }: Report): string {
  return commit && !commit.isDirty
    ? commit.id.slice(0, 7)
    : createdAt.slice(5, 16).replace("T", " ");
}
