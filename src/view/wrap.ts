/**
 * A text as lines of at most so many columns, broken between words; a word that is longer stays whole.
 *
 * @param indent what stands before every line but the first
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
