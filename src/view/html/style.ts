/** What pages and pictures look like. */
import { fileURLToPath } from "node:url";
import { Markup } from "./markup.ts";

/** The text of a file beside this one. */
export function asset(name: string): Promise<string> {
  return Deno.readTextFile(fileURLToPath(new URL(name, import.meta.url)));
}

/** A colour for each server, told apart by hue and lightness; the style sheet says how light. */
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
