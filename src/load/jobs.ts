/**
 * The protocol between load programs and Stampede: a job is a line of standard input, its reply a line
 * of standard output.
 */
import { TextLineStream } from "../process/child.ts";

/** Writes one line to Stampede. */
export function say(line: string): void {
  // deno-lint-ignore no-console -- standard output is its interface
  console.log(line);
}

/** Runs each job as it arrives and replies with its result as JSON. */
export async function serveJobs<Job>(run: (job: Job) => Promise<unknown>): Promise<void> {
  const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream());
  for await (const line of lines) say(JSON.stringify(await run(JSON.parse(line))));
}
