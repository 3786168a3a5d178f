/**
 * The process that runs a load generator as a separate program. It reads one job per line, runs the
 * program for the warm-up and for the window, and replies with its output as one line.
 */
import type { ToolJob, ToolReply } from "./external.ts";
import { CLOSED, OPENED } from "./generator.ts";
import { say, serveJobs } from "./jobs.ts";
import type { Invocation, ToolOutput } from "./tools/tool.ts";

/**
 * How long before the end of the load the window closes, in milliseconds. The program must still be
 * running then, so that its CPU time can be read.
 */
const CLOSES_BEFORE_MS = 60;

/**
 * Maximum number of characters that are kept of the program's output: more than any tool prints.
 */
const LONGEST_OUTPUT = 2 ** 26;

/** Receives two events of a tool: its load has started, and its load is about to end. */
interface OutputListener {
  started(): void;
  ending(): void;
}

async function runTool(
  { argv, files, result }: Invocation,
  { folder, startsWith, seconds }: Pick<ToolJob, "folder" | "startsWith" | "seconds">,
  listener?: OutputListener,
): Promise<ToolOutput> {
  const inFolder = (text: string): string => text.replaceAll("{DIR}", folder);
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  const path = result === null ? null : `${folder}/${result}`;
  if (path !== null) await Deno.remove(path).catch(() => {}); // the result file of an earlier run
  const [program = "", ...args] = argv.map(inFolder);
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
    listener?.started();
    if (seconds !== null) {
      timer = setTimeout(() => listener?.ending(), 1000 * seconds - CLOSES_BEFORE_MS);
    }
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
  const outputs = Promise.all([read(child.stdout), read(child.stderr)]);
  const [stdout, stderr] = await outputs;
  const { code } = await child.status;
  clearTimeout(timer);
  started(); // the program ended without its start message
  listener?.ending();
  const written = path === null ? null : await Deno.readTextFile(path).catch(() => null);
  return { exitCode: code, stdout, stderr, result: written };
}

async function run(job: ToolJob): Promise<ToolReply> {
  const quiet = { ...job, seconds: null };
  const warmup = job.warmup && await runTool(job.warmup, quiet);
  let isClosed = false;
  const window = await runTool(job.window, job, {
    started: () => say(OPENED),
    ending: () => {
      if (!isClosed) say(CLOSED);
      isClosed = true;
    },
  });
  return { window, warmup };
}

await serveJobs(run);
