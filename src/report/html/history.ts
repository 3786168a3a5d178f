import type { Cell, Estimate } from "../../findings.ts";
import type { Report } from "../../report.ts";
import { microseconds, rate, UNKNOWN } from "../format.ts";
import { axis, type Chart, draw, FAINT } from "./chart.ts";
import { colorOf } from "./item.ts";
import { type Markup, markup } from "./markup.ts";
import { figure } from "./scenario.ts";

/** What is followed over time. */
interface Followed {
  readonly title: string;
  readonly of: (cell: Cell) => Estimate | null;
  readonly format: (value: number) => string;
}

const RATE: Followed = { title: "Req/Sec", of: (cell) => cell.requestsPerS, format: rate };
const COST: Followed = {
  title: "CPU per request",
  of: (cell) => cell.serverCpuUs,
  format: microseconds,
};

/**
 * How each scenario went from report to report, in the order of time.
 *
 * @param servers all of them, in the order of their colours
 */
export function historySection(reports: readonly Report[], servers: readonly string[]): Markup {
  const scenarios = [...new Set(reports.flatMap(({ config }) => config.scenarios))];
  const hosts = new Set(reports.map(({ host }) => `${host.cores} x ${host.cpuModel}`));
  return markup`<section id="history"><h2>Over ${String(reports.length)} runs</h2>
<p>From the oldest to the newest, each with its 95 % interval.${
    hosts.size > 1 ? " The runs come from different machines: what changed may be the machine." : ""
  }</p>
${
    scenarios.map((scenario) =>
      markup`<h3>${scenario}</h3><div class="charts">${
        [RATE, COST].flatMap((followed) => {
          const chart = over(reports, servers, scenario, followed);
          return chart === null ? [] : [figure(chart)];
        })
      }</div>`
    )
  }</section>`;
}

/** Null if no report knows it. */
function over(
  reports: readonly Report[],
  servers: readonly string[],
  scenario: string,
  { title, of, format }: Followed,
): Chart | null {
  const names = reports.map(nameOf);
  const lines = servers.flatMap((server, place) => {
    const estimates = reports.map(({ cells }) => {
      const cell = cells.find(({ target, ...key }) =>
        target === server && key.scenario === scenario
      );
      return cell ? of(cell) : null;
    });
    return estimates.every((one) => one === null) ? [] : [{ server, place, estimates }];
  });
  if (lines.length === 0) return null;
  const whisker = (i: number, api: Api, estimate: Estimate | null): object | null => {
    if (!estimate?.interval) return null;
    const [x, y1] = api.coord([i, estimate.interval.low]);
    const [, y2] = api.coord([i, estimate.interval.high]);
    return { type: "line", shape: { x1: x, y1, x2: x, y2 }, style: { stroke: FAINT } };
  };
  return {
    title,
    note: `Median of each run. ${names[0]} to ${names.at(-1)}.`,
    svg: draw({
      height: 240,
      label: `${title} at ${scenario} from run to run`,
      about: (series) => {
        const line = lines[series >> 1];
        return line ? { server: line.server, text: line.server } : null;
      },
      option: {
        grid: { left: 66, right: 18, top: 8, bottom: 26 },
        xAxis: {
          ...{ type: "category", data: names, axisTick: { show: false } },
          axisLine: { show: false },
          axisLabel: { color: FAINT, hideOverlap: true },
        },
        yAxis: { ...axis(format), min: 0 },
        series: lines.flatMap(({ place, estimates }) => [
          {
            ...{ type: "line", clip: false, symbolSize: 5 },
            data: estimates.map((one) => one?.median ?? null),
            lineStyle: { color: colorOf(place), width: 1.5 },
            itemStyle: { color: colorOf(place) },
          },
          {
            ...{ type: "custom", clip: false, data: estimates.map((_one, i) => [i, 0]) },
            renderItem: ({ dataIndex }: { dataIndex: number }, api: Api) =>
              whisker(dataIndex, api, estimates[dataIndex] ?? null),
          },
        ]),
      },
    }),
    table: {
      columns: ["Server", ...names].map((heading, i) => ({
        ...{ heading, isNumber: i > 0, dropOrder: 0 },
      })),
      rows: lines.map(({ server, estimates }) => ({
        server,
        cells: [server, ...estimates.map((one) => one === null ? UNKNOWN : format(one.median))],
        values: [server, ...estimates.map((one) => one?.median ?? null)],
      })),
    },
  };
}

/** What the library tells who draws an item. */
interface Api {
  coord(point: readonly [number, number]): [number, number];
}

/** A run by its commit, or else by its time. */
function nameOf({ commit, createdAt }: Report): string {
  return commit && !commit.isDirty
    ? commit.id.slice(0, 7)
    : createdAt.slice(5, 16).replace("T", " ");
}
