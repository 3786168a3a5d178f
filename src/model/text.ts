/** Text from elsewhere, on its way to a person. */

/** Text from outside as text: what could steer a terminal is replaced, but for line ends. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, "\ufffd");
}

/** The same text without its line ends. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}
