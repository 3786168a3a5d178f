/** Text from elsewhere, on its way to a person. */

/**
 * What could steer a terminal, but for line ends and tabs, and what turns the order of letters around
 * (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters).
 */
const STEERING = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu;

/** Stampede's own styles: bold, faint and the colours of letters, with their ends. */
const STYLE =
  // deno-lint-ignore no-control-regex -- it is the beginning of each of them
  /(\x1b\[(?:[0-2]|22|3[0-79]|9[0-7])(?:;(?:[0-2]|22|3[0-79]|9[0-7]))*m)/;

/** Text from outside as text: what could steer a terminal is replaced. */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(STEERING, "\ufffd");
}

/**
 * All that a terminal or a pipe is to get, whatever texts from outside it holds.
 *
 * @param isStyled whether it may have Stampede's own styles
 */
export function shown(text: string, isStyled: boolean): string {
  const lines = text.split("\r\n"); // CSV has these ends
  if (!isStyled) return lines.map(printable).join("\r\n");
  const line = (text: string): string =>
    text.split(STYLE).map((part, i) => i % 2 === 1 ? part : printable(part)).join("");
  return lines.map(line).join("\r\n");
}

/** A value as JSON that steers no terminal, and means the same. */
export function toJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replaceAll(
    STEERING,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The same text without its line ends. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}
