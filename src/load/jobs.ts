/** How the programs that load talk with Stampede: a job is a line of standard input, its response one of standard output. */
import { TextLineStream } from "../process/lines.ts";

/** Writes a line to Stampede. */
export function say(line: string): void {
  // deno-lint-ignore no-console -- its standard output is its response
  console.log(line);
}

/** Does each job as it comes, and answers with what comes of it, as JSON. */
export async function serveJobs<Job>(work: (job: Job) => Promise<unknown>): Promise<void> {
  const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream());
  for await (const line of lines) say(JSON.stringify(await work(JSON.parse(line))));
}
