import { isFigure, printable, UNKNOWN } from "../../model/text.ts";
import type { Row, Table } from "../table.ts";
import { axis, type Chart, draw, FAINT, INK, type ItemApi, type Subject, WIDTH } from "./chart.ts";
import { shortName } from "./item.ts";
import { type Markup, markup } from "./markup.ts";

/** Options of an HTML table. */
interface Looks {
  readonly caption: string;
  /** Whether a click on a heading sorts the table, if scripts are enabled. */
  readonly sorts: boolean;
  /** Returns the colour of a server in charts. The server's rows show a dot of that colour. */
  readonly colorOf?: (server: string) => string;
}

/** Returns a coloured dot. */
export function dot(color: string): Markup {
  return markup`<span class="dot" style="background:${color}"></span>`;
}

/** Returns a table as markup. A table that is too wide scrolls sideways. */
export function htmlTable({ columns, rows }: Table, looks: Looks): Markup {
  const { caption, sorts } = looks;
  const headings = columns.map(({ heading, isNumber }) =>
    markup`<th scope="col"${numeric(isNumber)}>${heading || UNKNOWN}</th>`
  );
  return markup`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table${
    sorts ? markup` data-sorts` : null
  }><caption>${caption}</caption>
<thead><tr>${headings}</tr></thead>
<tbody>${rows.map((row) => rowOf(row, columns, looks))}</tbody></table></div>`;
}

function rowOf(
  { cells, rest, values, server, link }: Row,
  columns: Table["columns"],
  { colorOf, sorts }: Looks,
): Markup {
  const header = Math.max(0, columns.findIndex(({ heading }) => heading === "Server"));
  const color = server !== undefined && colorOf ? dot(colorOf(server)) : null;
  const texts = cells.map((text, i) => {
    const value = values?.[i];
    const isSorted = sorts && typeof value === "number";
    const sort = isSorted ? markup` data-value="${Number(value.toPrecision(6))}"` : null;
    return i === Math.min(header, cells.length - 1)
      ? markup`<th scope="row">${color}${
        link === undefined ? text : markup`<a href="${link}">${text}</a>`
      }</th>`
      : markup`<td${numeric(columns[i]?.isNumber ?? false)}${sort}>${text}</td>`;
  });
  const span = columns.length - cells.length;
  return markup`<tr${server === undefined ? null : markup` data-server="${server}"`}>${texts}${
    rest === undefined ? null : markup`<td class="rest" colspan="${Math.max(1, span)}">${rest}</td>`
  }</tr>
`;
}

function numeric(isNumber: boolean): Markup | null {
  return isNumber ? markup` class="n"` : null;
}

/** A row of a chart: its name, its bars one after the other, and a text. */
interface BarRow {
  readonly name: string;
  readonly bars: readonly { readonly length: number; readonly color: string }[];
  /** The ends of the interval, drawn as a whisker; null without an interval. */
  readonly whisker: readonly [low: number, high: number] | null;
  /** Whether the bar is a lower bound, drawn open. */
  readonly isOpen: boolean;
  readonly text: string;
  readonly about: Subject;
}

const ROW_HEIGHT = 24;
const BAR_HEIGHT = 14;
const NAMES_WIDTH = 118;
const LABEL_WIDTH = 76;
const AXIS_HEIGHT = 26;
/** Minimum length of an axis: ECharts cannot draw a shorter one. Real figures are larger. */
const SHORTEST = 1e-9;

/**
 * Draws horizontal bars, one row below the other.
 *
 * @param end value up to which the axis goes at least
 */
export function barRows(
  rows: readonly BarRow[],
  label: string,
  format: (value: number) => string,
  end = 0,
): Chart["svg"] {
  const longest = Math.max(
    end,
    ...rows.flatMap(({ bars, whisker }) => [
      bars.reduce((sum, { length }) => sum + length, 0),
      whisker?.[1] ?? 0,
    ]).filter(isFigure),
  );
  const row = (index: number, api: ItemApi): Record<string, unknown> | null => {
    const of = rows[index];
    return of
      ? { type: "group", children: shapes(of, (x) => api.coord([isFigure(x) ? x : 0, index])) }
      : null;
  };
  return draw({
    label,
    rowHeight: ROW_HEIGHT,
    height: rows.length * ROW_HEIGHT + AXIS_HEIGHT,
    about: (_series, item) => rows[item]?.about ?? null,
    option: {
      grid: { left: NAMES_WIDTH, right: LABEL_WIDTH, top: 0, bottom: AXIS_HEIGHT },
      xAxis: {
        ...axis(format),
        max: longest > SHORTEST ? longest : 1,
        splitNumber: 3,
        axisLabel: { color: FAINT, formatter: format, hideOverlap: true, showMaxLabel: false },
      },
      yAxis: {
        type: "category",
        inverse: true,
        data: rows.map(({ name }) => name),
        axisLabel: { show: false },
        axisTick: { show: false },
        axisLine: { show: false },
      },
      series: [{
        type: "custom",
        clip: false,
        data: rows.map((_row, i) => [0, i]),
        renderItem: ({ dataIndex }: { dataIndex: number }, api: ItemApi) => row(dataIndex, api),
      }],
    },
  });
}

function shapes(
  { name, bars, whisker, isOpen, text }: BarRow,
  coord: (x: number) => [number, number],
): object[] {
  const y = coord(0)[1];
  let from = 0;
  const rects = bars.map(({ length, color }) => {
    const [x] = coord(from);
    from += length;
    const shape = { x, y: y - BAR_HEIGHT / 2, width: coord(from)[0] - x, height: BAR_HEIGHT };
    const open = { fillOpacity: 0.3, stroke: color, lineDash: [3, 2], lineWidth: 1 };
    return { type: "rect", shape, style: { fill: color, ...(isOpen ? open : {}) } };
  });
  const end = Math.max(coord(from)[0], whisker ? coord(whisker[1])[0] : 0);
  const write = (text: string, x: number, align: string, fill: string): object => ({
    type: "text",
    x,
    y,
    style: { text, fill, align, verticalAlign: "middle" },
  });
  return [
    ...rects,
    ...(whisker === null ? [] : [whiskerOf(whisker.map((x) => coord(x)[0]), y)]),
    write(shortName(printable(name)), NAMES_WIDTH - 8, "right", INK),
    ...(text === "" ? [] : [write(text, Math.min(end + 6, WIDTH - LABEL_WIDTH + 6), "left", INK)]),
  ];
}

/** Returns a whisker with caps as one polyline. */
function whiskerOf([low = 0, high = 0]: readonly number[], y: number): object {
  const points = [[low, y - 4], [low, y + 4], [low, y], [high, y], [high, y - 4], [high, y + 4]];
  return { type: "polyline", shape: { points }, style: { stroke: INK, lineWidth: 1.5 } };
}
