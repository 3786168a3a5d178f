import { printable } from "../../model/text.ts";

/** Text of a page that is markup, and not to be escaped again. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What may be put into markup: text is escaped, lists are joined, null is nothing. */
export type Insert = Markup | string | number | null | readonly Insert[];

/** A template whose values stay what they are: text cannot become markup. */
export function markup(strings: TemplateStringsArray, ...values: readonly Insert[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...values.map(insert)));
}

function insert(value: Insert): string {
  if (value === null) return "";
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(insert).join("");
  return escape(String(value));
}

/** Text that stays text between tags and in quoted attributes. */
export function escape(text: string): string {
  return printable(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
