import { printable } from "../../model/text.ts";

/** Text that is markup already, and must not be escaped again. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Values in markup: text is escaped, lists are joined, null is empty. */
export type Insert = Markup | string | number | null | readonly Insert[];

/** Returns the markup of a template; its values are escaped. */
export function markup(strings: TemplateStringsArray, ...values: readonly Insert[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...values.map(insert)));
}

function insert(value: Insert): string {
  if (value === null) return "";
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(insert).join("");
  return escape(String(value));
}

/** Escapes a text for use between tags and in quoted attributes. */
export function escape(text: string): string {
  return printable(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
