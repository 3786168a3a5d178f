import type { Cell } from "../findings.ts";
import type { Report } from "../report.ts";
import type { PresetRow, PresetTable, PublishedFigures } from "../plan/preset.ts";
import { milliseconds, rate, UNKNOWN } from "./format.ts";
import { absenceOf } from "./servers.ts";
import type { Row, Table } from "./table.ts";
import { draw, type Screen } from "./terminal.ts";

/** A published table beside what was measured, and the ratios between its systems. */
export function describePreset(table: PresetTable, report: Report, screen: Screen): string[] {
  const { generator } = report.config;
  const load = table.requests === null ? `${table.seconds} s` : `${table.requests} requests`;
  const runs = table.runs === 1 ? "once" : `${table.runs} times`;
  const stand = generator === table.tool
    ? generator
    : `${generator}, since ${table.tool} is not here`;
  return [
    "",
    `${table.title} (${load} over ${table.connections} connections, ${runs}, with ${stand})`,
    ...draw(presetTable(table, report), screen),
    ...ratios(table, report),
  ];
}

/** Published beside measured: the best of the runs where that was published, and the median. */
export function presetTable({ rows, kept }: PresetTable, report: Report): Table {
  const numbers = ["published", kept === "best" ? "measured, best" : "measured", "median"];
  return {
    columns: [
      { heading: "System", isNumber: false, dropOrder: 0 },
      ...numbers.map((heading, i) => ({ heading, isNumber: true, dropOrder: i === 2 ? 2 : 0 })),
      ...["p50 published", "p50", "p99 published", "p99"].map((heading) => ({
        ...{ heading, isNumber: true, dropOrder: 1 },
      })),
      { heading: "Limit", isNumber: false, dropOrder: 0 },
      { heading: "Note", isNumber: false, dropOrder: 3 },
    ],
    rows: rows.map((row) => rowOf(row, kept, report)),
  };
}

function rowOf(row: PresetRow, kept: PresetTable["kept"], report: Report): Row {
  const { published, name } = row;
  const cell = cellOf(row, report);
  const was = published === null ? UNKNOWN : rate(published.requestsPerS);
  const server = report.servers.find(({ id }) => id === row.id);
  const absence = server ? absenceOf(server, report) : null;
  if (absence !== null) return { cells: [name, was], rest: absence };
  if (cell === undefined || cell.requestsPerS === null) {
    const reason = cell?.reason?.replaceAll("\n", " ") ?? "it does not implement this";
    return { cells: [name, was], rest: `${cell?.status ?? "not measured"}: ${reason}` };
  }
  const { requestsPerS, isLowerBound, p50Us, p99Us, verdict } = cell;
  const bound = isLowerBound ? "≥ " : "";
  return {
    cells: [
      ...[name, was, `${bound}${rate(kept === "best" ? requestsPerS.max : requestsPerS.median)}`],
      `${bound}${rate(requestsPerS.median)}`,
      ...[published?.p50Ms, p50Us === null ? null : p50Us / 1000].map(ms),
      ...[published?.p99Ms, p99Us === null ? null : p99Us / 1000].map(ms),
      ...[verdict?.limit ?? UNKNOWN, published?.note ?? ""],
    ],
  };
}

function ms(value: number | null | undefined): string {
  return milliseconds(value === null || value === undefined ? null : 1000 * value);
}

/** Ratios travel between machines, rates do not. */
function ratios(table: PresetTable, report: Report): string[] {
  const of = (id: string): PresetRow | undefined => table.rows.find((row) => row.id === id);
  return table.ratios.map(({ name, a, b }) => {
    const published = divide(of(a)?.published ?? null, of(b)?.published ?? null);
    const [top, bottom] = [a, b].map((id) => {
      const row = of(id);
      const estimate = row && cellOf(row, report)?.requestsPerS;
      return estimate ? (table.kept === "best" ? estimate.max : estimate.median) : null;
    });
    const measured = top && bottom ? (top / bottom).toFixed(2) : UNKNOWN;
    return `${name}: published ${published}, measured ${measured}`;
  });
}

function divide(a: PublishedFigures | null, b: PublishedFigures | null): string {
  return a && b ? (a.requestsPerS / b.requestsPerS).toFixed(2) : UNKNOWN;
}

function cellOf(row: PresetRow, report: Report): Cell | undefined {
  return report.cells.find(({ target }) => target === row.id);
}
