/**
 * Longest line, in characters: more than any program prints as one line. Longer lines are cut into
 * parts.
 */
const LONGEST_LINE = 2 ** 26;

/** Splits text into lines. An unfinished last line counts, and an endless line comes in parts. */
export class TextLineStream extends TransformStream<string, string> {
  constructor(longest: number = LONGEST_LINE) {
    let rest = "";
    super({
      transform(chunk, controller): void {
        const [first = "", ...others] = chunk.split("\n");
        rest += first;
        for (const line of others) {
          controller.enqueue(rest);
          rest = line;
        }
        if (rest.length < longest) return;
        controller.enqueue(rest);
        rest = "";
      },
      flush(controller): void {
        if (rest !== "") controller.enqueue(rest);
      },
    });
  }
}
