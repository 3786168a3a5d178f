/** Makes untrusted text safe to print. */

/**
 * Characters that control a terminal, except line feeds and tabs, and characters that change the text direction
 * (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters).
 */
const CONTROL_CHARACTERS = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu;

/**
 * The styles that Stampede itself may print: bold, faint and foreground colours, and the codes that end them.
 */
const STYLE =
  // deno-lint-ignore no-control-regex -- each style begins with ESC
  /(\x1b\[(?:[0-2]|22|3[0-79]|9[0-7])(?:;(?:[0-2]|22|3[0-79]|9[0-7]))*m)/;

/** Replaces characters that could control a terminal by U+FFFD. */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(CONTROL_CHARACTERS, "\ufffd");
}

/**
 * Makes output safe for a terminal.
 *
 * @param isStyled whether Stampede's own styles stay
 */
export function shown(text: string, isStyled: boolean): string {
  const lines = text.split("\r\n"); // CSV ends lines with CRLF
  if (!isStyled) return lines.map(printable).join("\r\n");
  const line = (text: string): string =>
    text.split(STYLE).map((part, i) => i % 2 === 1 ? part : printable(part)).join("");
  return lines.map(line).join("\r\n");
}

/** Serialises a value as JSON, and escapes characters that could control a terminal. */
export function toJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replaceAll(
    CONTROL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the text with its line breaks replaced by spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}
