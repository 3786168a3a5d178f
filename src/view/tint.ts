/** Terminal colours for verdicts and failures. */

/** Meaning of a text: better, worse, or doubtful. */
export type Tone = "good" | "bad" | "doubtful";

/** Colours that terminals name, so that they fit the reader's own: green, red, yellow. */
const CODES: Readonly<Record<Tone, number>> = { good: 32, bad: 31, doubtful: 33 };

/** Colours a text. */
export function tinted(text: string, tone: Tone): string {
  return `\x1b[${CODES[tone]}m${text}\x1b[39m`;
}

/** Beginnings of sentences about changes for the worse or the better. */
const BEGINNINGS: readonly (readonly [beginning: RegExp, tone: Tone])[] = [
  [/(?<=^ *|\. )(Slower:|Fine before, and broken now:|More than [\d.]+ % slower, proven:)/g, "bad"],
  [/(?<=^ *|\. )Faster:/g, "good"],
  [/(?<=^ *|\. )(Not comparable:|Not proven and not excluded:)/g, "doubtful"],
];

/** Lines of a verdict, with the beginnings of its sentences in colour if the screen shows styles. */
export function tintedLines(lines: readonly string[], styled: boolean): readonly string[] {
  if (!styled) return lines;
  return lines.map((line) =>
    BEGINNINGS.reduce(
      (text, [beginning, tone]) => text.replaceAll(beginning, (found) => tinted(found, tone)),
      line,
    )
  );
}

/** A text without its styles: what takes columns of a terminal. */
export function unstyled(text: string): string {
  // deno-lint-ignore no-control-regex -- styles begin with it
  return text.replaceAll(/\x1b\[[\d;]*m/g, "");
}
