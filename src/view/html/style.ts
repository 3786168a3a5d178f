/** Reads the style sheets of pages and pictures, and makes their colours. */
import { fileURLToPath } from "node:url";
import { Markup } from "./markup.ts";

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
