/** Reads the style sheets of pages and pictures, and makes their colours. */

import { fileURLToPath } from "node:url";
import { printable } from "../../model/text.ts";

/** Text that is markup already, and must not be escaped again. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Values in markup: text is escaped, lists are joined, null is empty. */
type Insert = Markup | string | number | null | readonly Insert[];

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

/** Returns the text of a file in this folder. */
export function asset(name: string): Promise<string> {
  return Deno.readTextFile(fileURLToPath(new URL(name, import.meta.url)));
}

/**
 * Returns a style sheet with a colour for each server, which differ in hue and lightness. The main
 * style sheet sets the base lightness.
 */
export function palette(count: number): Markup {
  const GOLDEN_ANGLE = 137.508;
  const colors = Array.from({ length: count }, (_color, i) => {
    const hue = (250 + i * GOLDEN_ANGLE) % 360;
    const step = (i % 3) - 1;
    return `--server-${i}:oklch(calc(var(--light) + ${(0.07 * step).toFixed(2)}) 0.14 ${
      hue.toFixed(0)
    });`;
  });
  return new Markup(`:root{${colors.join("")}}`);
}
