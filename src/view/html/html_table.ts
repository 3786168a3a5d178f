import { UNKNOWN } from "../../model/format.ts";
import type { Row, Table } from "../table.ts";
import { type Markup, markup } from "./markup.ts";

/** Options of an HTML table. */
export interface Looks {
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
