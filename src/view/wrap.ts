import { unstyled } from "./tint.ts";

/**
 * Breaks a text between words into lines of at most `columns`; a longer word stays whole.
 *
 * @param indent prefix of every line but the first
 */
export function wrap(text: string, columns: number, indent = "  "): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent + word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/**
 * Smallest width for a text after its start, in columns. With less room, the text begins on the next
 * line.
 */
export const LEAST_ROOM = 30;

/**
 * Wraps a text after a start, such as a label. The further lines are indented to the place where the
 * text begins.
 *
 * @param length width of the start in columns, without styles
 */
export function hanging(
  start: string,
  text: string,
  columns: number,
  length = start.length,
): string[] {
  const room = columns - length;
  if (room < LEAST_ROOM) {
    const indent = "    ";
    return [
      start.trimEnd(),
      ...wrap(text, columns - indent.length, "").map((line) => indent + line),
    ];
  }
  const [first = "", ...others] = wrap(text, room, "");
  return [start + first, ...others.map((line) => " ".repeat(length) + line)];
}

/** Wraps each long line of a text. The further lines of it are indented by two more columns. */
export function wrapLines(text: string, columns: number): string {
  return text.split("\n").flatMap((line) => {
    if (unstyled(line).length <= columns) return [line];
    const indent = line.length - line.trimStart().length;
    const [first = "", ...others] = wrap(line.trimStart(), columns - indent);
    return [" ".repeat(indent) + first, ...others.map((other) => " ".repeat(indent) + other)];
  }).join("\n");
}
