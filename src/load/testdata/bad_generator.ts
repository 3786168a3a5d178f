/** A load generator's process that misbehaves as its argument says. */
import { TextLineStream } from "../../process/lines.ts";

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextLineStream());
for await (const _job of lines) {
  switch (Deno.args[0]) {
    case "garbage":
      await Deno.stdout.write(new TextEncoder().encode("Segmentation fault?\n"));
      break;
    case "end":
      await Deno.stderr.write(new TextEncoder().encode("out of luck\n"));
      Deno.exit(3);
      break;
    case "hang":
      break;
  }
}
