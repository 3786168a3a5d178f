/** The process of a load generator that misbehaves as its argument says. */
import { TextLineStream } from "../../process/child.ts";
import { CLOSED, OPENED } from "../generator.ts";

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextLineStream());
for await (const job of lines) {
  switch (Deno.args[0]) {
    case "garbage":
      await Deno.stdout.write(new TextEncoder().encode("Segmentation fault?\n"));
      break;
    case "end":
      await Deno.stderr.write(new TextEncoder().encode("out of luck\n"));
      Deno.exit(3);
      break;
    case "apart":
      if (JSON.parse(job).load.connections === 1) break; // the window of this one never opens
      await Deno.stdout.write(new TextEncoder().encode(`${OPENED}\n${CLOSED}\n`));
      break;
    case "flood":
      await flood();
      Deno.exit(4);
      break;
    case "loud":
      await flood();
      await measure();
      break;
    case "hang":
      break;
    case "measure": // this one is correct and prints nothing else
      await measure();
      break;
  }
}

/** Writes 64 MiB to standard error. */
async function flood(): Promise<void> {
  const mebibyte = new Uint8Array(2 ** 20).fill("x".charCodeAt(0));
  for (let i = 0; i < 64; i++) await Deno.stderr.write(mebibyte);
}

async function measure(): Promise<void> {
  const measurement = JSON.stringify({ durationS: 1, statuses: {}, latency: null });
  await Deno.stdout.write(new TextEncoder().encode(`${OPENED}\n${CLOSED}\n${measurement}\n`));
}
