import type { Part, PartEvidence } from "../../model/derived.ts";
import { UNKNOWN } from "../format.ts";
import type { Chart } from "./chart.ts";
import type { Item } from "./item.ts";
import { barRows } from "./rows.ts";

const PARTS: readonly Part[] = ["server", "database", "generator"];

/** How many cores server, database and load generator kept busy; null if that is not known. */
export function processorShares(scenario: string, items: readonly Item[]): Chart | null {
  const partOf = ({ cell }: Item, part: Part): PartEvidence | null =>
    cell.verdict?.evidence[part] ?? null;
  const known = items.filter((item) => PARTS.some((part) => partOf(item, part) !== null));
  if (known.length === 0) return null;
  const cores = (item: Item): number[] => PARTS.map((part) => partOf(item, part)?.cores ?? 0);
  const texts = (item: Item): string[] =>
    PARTS.map((part) => partOf(item, part)?.cores.toFixed(2) ?? UNKNOWN);
  const rows = known.map((item) => ({
    name: item.label,
    whisker: null,
    isOpen: false,
    bars: cores(item).map((length, i) => ({ length, color: `var(--${PARTS[i]})` })),
    text: cores(item).reduce((sum, value) => sum + value, 0).toFixed(2),
    about: {
      server: item.cell.arm,
      text: `${item.label}: ${PARTS.map((part, i) => `${part} ${texts(item)[i]}`).join(", ")}`,
    },
  }));
  return {
    title: "Who used the processors",
    note: "Cores that each part kept busy.",
    legend: PARTS.map((name) => ({ name, color: `var(--${name})` })),
    svg: barRows(rows, `Cores that each part used at ${scenario}`, String),
    table: {
      columns: ["Server", ...PARTS].map((heading, i) => ({
        heading,
        isNumber: i > 0,
        dropOrder: 0,
      })),
      rows: known.map((item) => ({
        server: item.cell.arm,
        cells: [item.label, ...texts(item)],
        values: [item.label, ...PARTS.map((part) => partOf(item, part)?.cores ?? null)],
      })),
    },
  };
}
