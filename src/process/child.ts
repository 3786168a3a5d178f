/** Child processes: their start, their output line by line, and their end. */
import { hideUrls } from "../model/text.ts";
import { readText } from "./files.ts";
import { killTagged, PROCESS_TAG } from "./tree.ts";

/** Longest line, in characters: more than any program prints as one line. */
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

/** Options of a program. Its environment contains only the variables in `env`. */
export interface SpawnOptions {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
  /** Processors that it may use, by `taskset` of Linux; null or absent: all. */
  readonly cpus?: readonly number[] | null;
  /** Receives each line of standard output. */
  readonly onLine?: (line: string) => void;
  /** Receives the text of standard error. */
  readonly onLog?: (text: string) => void;
  /** Cleans up after the program has ended, for whatever reason. */
  readonly onEnd?: () => Promise<void>;
  /** Signal that asks the program to end; by default SIGTERM. */
  readonly stopSignal?: Deno.Signal;
}

const STDERR_TAIL = 600; // characters for messages
/** Time limit for the rest of an ended program's output, in milliseconds: reading it takes far less. */
const OUTPUT_MS = 5000;
/** Default time between the stop signal and SIGKILL, in milliseconds. */
const GRACE_MS = 3000;

/** A program in a separate session: Ctrl-C reaches only Stampede, which stops its children in order. */
export class Child {
  readonly pid: number;
  /** Resolves when the program has ended and its output has been read. */
  readonly ended: Promise<Deno.CommandStatus>;
  readonly #stopSignal: Deno.Signal;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  #stderr = "";
  #howItEnded: string | null = null;
  #isEndRequested = false;

  /** @throws {Deno.errors.NotFound} if the program does not exist. */
  constructor(options: SpawnOptions) {
    const { argv, cpus = null, env = {}, onLine, onLog, onEnd, stopSignal, ...place } = options;
    const [command = "", ...args] = cpus === null ? argv : ["taskset", "-c", cpus.join(), ...argv];
    this.#stopSignal = stopSignal ?? "SIGTERM";
    const outOfMemory = outOfMemoryKills();
    const program = new Deno.Command(command, {
      ...place,
      args,
      clearEnv: true,
      env: { ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn();
    this.pid = program.pid;
    this.#stdin = program.stdin.getWriter();
    const out = readLines(program.stdout, onLine);
    const err = this.#readStderr(program.stderr, onLog);
    this.ended = program.status.then(async (status) => {
      const isOutOfMemory = status.signal === "SIGKILL" && !this.#isEndRequested &&
        outOfMemoryKills() > outOfMemory;
      const { code, signal } = status;
      const how = signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`;
      const why = ", and memory has run out: the system has killed programs for it";
      this.#howItEnded = isOutOfMemory ? how + why : how;
      killGroup(this.pid, "SIGKILL"); // its descendants may keep the pipes open
      const tag = env[PROCESS_TAG];
      if (tag !== undefined) killTagged(tag);
      // A descendant in another session, which Stampede may not kill, can keep the output open
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, OUTPUT_MS);
      await Promise.race([Promise.all([out, err]), late]);
      clearTimeout(timer);
      await Promise.all([this.#stdin.close().catch(() => {}), onEnd?.()]);
      return status;
    });
  }

  get hasEnded(): boolean {
    return this.#howItEnded !== null;
  }

  /** How the program ended, such as `ended with exit code 1`, and whether memory had run out. */
  get howItEnded(): string {
    return this.#howItEnded ?? "has not ended";
  }

  /** Whether Stampede stopped it before it ended by itself. */
  get isEndRequested(): boolean {
    return this.#isEndRequested;
  }

  /** The end of its standard error, after a colon and a line break; empty if it wrote nothing. */
  get lastWords(): string {
    const words = hideUrls(this.#stderr.trim());
    return words === "" ? "" : `:\n${words}`;
  }

  /** Writes one line to its standard input. Does nothing if the program has ended. */
  async writeLine(line: string): Promise<void> {
    await this.#stdin.write(new TextEncoder().encode(line + "\n")).catch(() => {});
  }

  /** Waits for its end. If the signal is aborted, it is stopped. */
  async untilEnded(abort: AbortSignal): Promise<Deno.CommandStatus> {
    const stop = (): void => void this.stop();
    abort.addEventListener("abort", stop);
    const status = await this.ended;
    abort.removeEventListener("abort", stop);
    return status;
  }

  /** Sends the stop signal and, `graceMs` milliseconds later, SIGKILL; waits for the end. */
  async stop(graceMs = GRACE_MS): Promise<Deno.CommandStatus> {
    // Its process group id may belong to another program now
    if (this.hasEnded) return await this.ended;
    this.#isEndRequested = true;
    killGroup(this.pid, this.#stopSignal);
    const timer = setTimeout(() => killGroup(this.pid, "SIGKILL"), graceMs);
    try {
      return await this.ended;
    } finally {
      clearTimeout(timer);
    }
  }

  async #readStderr(bytes: Bytes, onLog?: (text: string) => void): Promise<void> {
    for await (const chunk of bytes.pipeThrough(new TextDecoderStream())) {
      this.#stderr = (this.#stderr + chunk).slice(-STDERR_TAIL);
      onLog?.(chunk);
    }
  }
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Calls back for each line of UTF-8 text. */
export async function readLines(bytes: Bytes, onLine?: (line: string) => void): Promise<void> {
  const text = bytes.pipeThrough(new TextDecoderStream());
  for await (const line of text.pipeThrough(new TextLineStream())) onLine?.(line);
}

/** Sends a signal to a program and its process group. Does nothing if the group has ended. */
export function killGroup(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(Deno.build.os === "windows" ? pid : -pid, signal);
  } catch (error) {
    const { NotFound, PermissionDenied } = Deno.errors;
    if (!(error instanceof NotFound || error instanceof PermissionDenied)) throw error;
  }
}

/** Counts programs killed for lack of memory: https://docs.kernel.org/filesystems/proc.html#vmstat */
function outOfMemoryKills(): number {
  return Number(readText("/proc/vmstat")?.match(/^oom_kill (\d+)$/m)?.[1] ?? 0);
}
