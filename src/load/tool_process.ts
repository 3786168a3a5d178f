/** The process that runs a separate program as load generator, for warm-up and window. */
import { CLOSED, OPENED, serveJobs } from "./generator.ts";
import type { Invocation, ToolOutput } from "./tools/tool.ts";

/** One job. */
export interface ToolJob {
  /** Folder of the tool's files. */
  readonly folder: string;
  readonly warmup: Invocation | null;
  readonly window: Invocation;
  /** Text that the tool prints when its load starts; null: its load starts at once. */
  readonly startsWith: string | null;
  /** Length of the window in seconds; null if it ends after a number of responses. */
  readonly seconds: number | null;
}

/** The reply to a job. */
export interface ToolReply {
  readonly warmup: ToolOutput | null;
  readonly window: ToolOutput;
}

/** The window closes this long before the load, in ms, so that CPU time can still be read. */
const CLOSES_BEFORE_MS = 60;

/** Maximum number of characters kept of the program's output: more than any tool prints. */
const LONGEST_OUTPUT = 2 ** 26;

/** Runs a tool. Calls `onEnding` when the load is about to end, and again at its end. */
async function runTool(
  { argv, files, result }: Invocation,
  { folder, startsWith, seconds }: ToolJob,
  onStart: () => void,
  onEnding: () => void,
): Promise<ToolOutput> {
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  const path = result === null ? null : `${folder}/${result}`;
  if (path !== null) await Deno.remove(path).catch(() => {}); // the result file of an earlier run
  const [program = "", ...args] = argv.map((text) => text.replaceAll("{DIR}", folder));
  const child = new Deno.Command(program, {
    args,
    env: { LC_ALL: "C", NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStarted = false;
  const started = (): void => {
    if (isStarted) return;
    isStarted = true;
    onStart();
    if (seconds !== null) timer = setTimeout(onEnding, 1000 * seconds - CLOSES_BEFORE_MS);
  };
  const read = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
    let text = "";
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      if (text.length < LONGEST_OUTPUT) text += chunk;
      if (!isStarted && startsWith !== null && text.includes(startsWith)) started();
    }
    return text;
  };
  if (startsWith === null) started();
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)]);
  const { code: exitCode } = await child.status;
  clearTimeout(timer);
  started(); // the program ended without its start message
  onEnding();
  const written = path === null ? null : await Deno.readTextFile(path).catch(() => null);
  return { exitCode, stdout, stderr, result: written };
}

await serveJobs(async (job: ToolJob, say): Promise<ToolReply> => {
  const ignore = (): void => {};
  const warmup = job.warmup && await runTool(job.warmup, job, ignore, ignore);
  let isClosed = false;
  const window = await runTool(job.window, job, () => say(OPENED), () => {
    if (!isClosed) say(CLOSED);
    isClosed = true;
  });
  return { window, warmup };
});
