/** More characters than anybody answers in a line: a program that prints more without an end is cut. */
const LONGEST_LINE = 2 ** 26;

/** Splits text into lines; an unfinished last line counts, and one that does not end comes in parts. */
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
