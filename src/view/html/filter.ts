import type { ServerSummary } from "../../model/derived.ts";
import type { Report } from "../../model/report.ts";
import { colorOf } from "./item.ts";
import { type Markup, markup } from "./markup.ts";
import { dot } from "./html_table.ts";

/**
 * Returns the controls that hide servers on the page. They are hidden until the page's script runs.
 */
export function filter(report: Report, servers: readonly string[]): Markup | null {
  if (servers.length < 2 || report.results.length === 0) return null;
  const of = (id: string): ServerSummary | undefined => report.servers.find((one) => one.id === id);
  const boxes = servers.map((id, i) =>
    markup`<label title="${
      of(id)?.name ?? id
    }"><input type="checkbox" name="server" value="${id}" checked>${dot(colorOf(i))}${id}</label>`
  );
  const groups = new Map<string, string[]>();
  for (const id of servers) {
    const server = of(id);
    for (const group of new Set([server?.language, server?.framework])) {
      if (group) groups.set(group, [...groups.get(group) ?? [], id]);
    }
  }
  const buttons = [...groups].filter(([, ids]) => ids.length > 1 && ids.length < servers.length)
    .map(([name, ids]) =>
      markup`<button type="button" data-servers="${ids.join(",")}">${name}</button>`
    );
  return markup`<fieldset class="filter" hidden><legend>Servers</legend>${boxes}<button type="button" data-servers="all">all</button>${buttons}</fieldset>`;
}
