/** Makes markup: escaped text, tables, and the style sheets of pages and pictures. */
import { fileURLToPath } from "node:url";
import { printable, UNKNOWN } from "../../model/text.ts";
import type { Row, Table } from "../table.ts";

/** Text that is markup already, and must not be escaped again. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Values in markup: text is escaped, lists are joined; null, undefined and false are empty. */
type Insert = Markup | string | number | null | undefined | false | readonly Insert[];

/** Returns the markup of a template; its values are escaped. */
export function markup(strings: TemplateStringsArray, ...values: readonly Insert[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...values.map(insert)));
}

function insert(value: Insert): string {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(insert).join("");
  return escape(String(value === false ? "" : value ?? ""));
}

/** Escapes a text for use between tags and in quoted attributes. */
export function escape(text: string): string {
  return printable(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

/** Returns the text of a file in this folder, which is markup, a style sheet or a script. */
export async function asset(name: string): Promise<Markup> {
  return new Markup(await Deno.readTextFile(fileURLToPath(new URL(name, import.meta.url))));
}

/** Returns a style sheet with a colour for each server; they differ in hue and lightness. */
export function palette(count: number): Markup {
  const colors = Array.from({ length: count }, (_color, i) => {
    // The golden angle spreads any number of hues
    const hue = ((250 + i * 137.508) % 360).toFixed(0);
    const step = (0.07 * ((i % 3) - 1)).toFixed(2);
    return `--server-${i}:oklch(calc(var(--light) + ${step}) 0.14 ${hue});`;
  });
  return new Markup(`:root{${colors.join("")}}`);
}

/** Returns the colour of a server by its place on the page; {@linkcode palette} defines it. */
export function colorOf(place: number): string {
  return `var(--server-${place})`;
}

/** Width of a chart in units of the picture: that of a phone. Wide pages place charts side by side. */
export const WIDTH = 400;

/** Returns a coloured dot. */
export function dot(color: string): Markup {
  return markup`<span class="dot" style="background:${color}"></span>`;
}

/** Shortens a name to 17 characters. The end stays, because it may be a number of connections. */
export function shortName(name: string): string {
  return name.length <= 17 ? name : `${name.slice(0, 10)}…${name.slice(-6)}`;
}

/** Returns an attribute; null without a value. */
export function attribute(name: string, value?: string | number | null): Markup | null {
  return value === null || value === undefined ? null : markup` ${name}="${value}"`;
}

/** Returns items of a list. */
export function listItems(texts: readonly (string | Markup)[]): Markup[] {
  return texts.map((text) => markup`<li>${text}</li>`);
}

/** Returns a table as markup. A table that is too wide scrolls sideways. */
export function htmlTable({ columns, rows }: Table, { caption, sorts, servers }: {
  readonly caption: string;
  /** Whether a click on a heading sorts the table, if scripts are enabled. */
  readonly sorts: boolean;
  /** All servers of the page: a server's row shows a dot of its colour. Without it, no dots. */
  readonly servers?: readonly string[];
}): Markup {
  const alignments = columns.map(({ isNumber }) => isNumber && markup` class="n"`);
  const headings = columns.map(({ heading }, i) =>
    markup`<th scope="col"${alignments[i]}>${heading || UNKNOWN}</th>`
  );
  const names = Math.max(0, columns.findIndex(({ heading }) => heading === "Server"));
  const rowOf = ({ cells, rest, values, server, scenario, link, links, bars }: Row): Markup => {
    const color = server !== undefined && servers && dot(colorOf(servers.indexOf(server)));
    const texts = cells.map((text, i) => {
      if (i === Math.min(names, cells.length - 1)) {
        const name = link === undefined ? text : markup`<a href="${link}">${text}</a>`;
        return markup`<th scope="row">${color}${name}</th>`;
      }
      const value = values?.[i];
      const sort = sorts && typeof value === "number" ? Number(value.toPrecision(6)) : null;
      const heading = columns[i]?.heading ?? "";
      const [address, bar] = [links?.[heading], bars?.[heading]];
      const style = bar === undefined ? null : `--bar-length:${(100 * bar).toFixed(1)}%`;
      return markup`<td${alignments[i]}${attribute("data-value", sort)}${
        attribute("style", style)
      }>${address === undefined ? text : markup`<a href="${address}">${text}</a>`}</td>`;
    });
    const span = Math.max(1, columns.length - cells.length);
    return markup`<tr${attribute("data-server", server)}${
      attribute("data-scenario", scenario)
    }>${texts}${rest !== undefined && markup`<td class="rest" colspan="${span}">${rest}</td>`}</tr>
`;
  };
  return markup`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table${
    sorts && markup` data-sorts`
  }><caption>${caption}</caption>
<thead><tr>${headings}</tr></thead>
<tbody>${rows.map(rowOf)}</tbody></table></div>`;
}
