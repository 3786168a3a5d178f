/** Text from elsewhere, on its way to a person. */

/** Text from outside as text: what could steer a terminal is replaced, but for line ends and tabs. */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(/[^\P{Cc}\n\t]/gu, "\ufffd");
}

/** The same text without its line ends. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}
