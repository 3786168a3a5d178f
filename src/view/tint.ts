/** Terminal colours for verdicts and failures. */

/** Meaning of a text: better, worse, or doubtful. */
export type Tone = "good" | "bad" | "doubtful";

/** ANSI codes of green, red and yellow, so that the terminal's theme applies. */
const CODES: Readonly<Record<Tone, number>> = { good: 32, bad: 31, doubtful: 33 };

/** Returns a text in the colour of its tone. */
export function tinted(text: string, tone: Tone): string {
  return `\x1b[${CODES[tone]}m${text}\x1b[39m`;
}

/** Matches the beginnings of a verdict's sentences, each with its tone. */
const BEGINNINGS: readonly (readonly [beginning: RegExp, tone: Tone])[] = [
  [/(?<=^ *|\. )(Slower:|Broken in head, but not in base:)/g, "bad"],
  [/(?<=^ *|\. )Proven to be more than [\d.]+ % slower:/g, "bad"],
  [/(?<=^ *|\. )Faster:/g, "good"],
  [/(?<=^ *|\. )Not comparable:/g, "doubtful"],
  [/(?<=^ *|\. )A slowdown of more than [\d.]+ % is neither proven nor excluded:/g, "doubtful"],
];

/** Returns a verdict with the beginnings of its sentences in colour, if the screen supports styles. */
export function tintedLines(lines: readonly string[], styled: boolean): readonly string[] {
  if (!styled) return lines;
  return lines.map((line) =>
    BEGINNINGS.reduce(
      (text, [beginning, tone]) => text.replaceAll(beginning, (found) => tinted(found, tone)),
      line,
    )
  );
}

/** Removes the styles from a text, so that its length is its width on a terminal. */
export function unstyled(text: string): string {
  // deno-lint-ignore no-control-regex -- styles begin with the escape character
  return text.replaceAll(/\x1b\[[\d;]*m/g, "");
}
