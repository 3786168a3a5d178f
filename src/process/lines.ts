/** Splits text into lines; an unfinished last line counts. */
export class TextLineStream extends TransformStream<string, string> {
  constructor() {
    let rest = "";
    super({
      transform(chunk, controller): void {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) controller.enqueue(line);
      },
      flush(controller): void {
        if (rest !== "") controller.enqueue(rest);
      },
    });
  }
}
