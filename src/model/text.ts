/** Text from elsewhere, on its way to a person. */

/**
 * Text from outside as text: what could steer a terminal is replaced, but for line ends and tabs, and so is what
 * turns the order of letters around (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters).
 */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n")
    .replaceAll(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu, "\ufffd");
}

/** The same text without its line ends. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}
