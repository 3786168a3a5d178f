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

/** Runs a tool. `say` receives a line when its load starts and when it ends or is about to end. */
async function runTool(
  { argv, files, result }: Invocation,
  { folder, startsWith, seconds }: ToolJob,
  say: (line: string) => void,
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
  const said = new Set<string>();
  const sayOnce = (line: string): void => {
    if (!said.has(line)) say(line);
    said.add(line);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    sayOnce(OPENED);
    if (seconds === null) return;
    timer = setTimeout(() => sayOnce(CLOSED), 1000 * seconds - CLOSES_BEFORE_MS);
  };
  const read = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
    let text = "";
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      if (text.length < LONGEST_OUTPUT) text += chunk;
      if (startsWith !== null && !said.has(OPENED) && text.includes(startsWith)) open();
    }
    return text;
  };
  if (startsWith === null) open();
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)]);
  const { code: exitCode } = await child.status;
  sayOnce(OPENED); // the program ended without its start message
  sayOnce(CLOSED);
  clearTimeout(timer);
  const written = path === null ? null : await Deno.readTextFile(path).catch(() => null);
  return { exitCode, stdout, stderr, result: written };
}

await serveJobs(async (job: ToolJob, say): Promise<ToolReply> => {
  const warmup = job.warmup && await runTool(job.warmup, job, () => {});
  return { window: await runTool(job.window, job, say), warmup };
});
