import { hideUrls } from "../model/secrets.ts";
import { TextLineStream } from "./lines.ts";
import { killTagged, PROCESS_TAG } from "./process_tag.ts";
import { readText } from "./tree.ts";

/** How a program is started. Its environment is what stands here and nothing else. */
export interface SpawnOptions {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
  /** The processors that it may use, on Linux, by `taskset`; null and absent: all. */
  readonly cpus?: readonly number[] | null;
  /** Gets each line of the standard output. */
  readonly onLine?: (line: string) => void;
  /** Gets what it writes to its standard error. */
  readonly onLog?: (text: string) => void;
  /** Clears up what a program leaves behind that has ended, however it did. */
  readonly onEnd?: () => Promise<void>;
  /** The signal that asks the program to end; SIGTERM. */
  readonly stopSignal?: Deno.Signal;
}

const STDERR_TAIL = 600;
const GRACE_MS = 3000;
const OUT_OF_MEMORY = ", and memory has run out: the system has killed programs for it";

/**
 * A running program, in a session of its own, so that Ctrl-C in the terminal reaches Stampede alone,
 * which then stops its children in order, together with all that they started.
 */
export class Child {
  readonly pid: number;
  /** Settles when the program has ended and its output has been read. */
  readonly ended: Promise<Deno.CommandStatus>;
  readonly #process: Deno.ChildProcess;
  readonly #stopSignal: Deno.Signal;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  #stderr = "";
  #howItEnded: string | null = null;
  #isEndRequested = false;

  /** @throws {Deno.errors.NotFound} if there is no such program. */
  constructor(options: SpawnOptions) {
    const { cpus = null, argv } = options;
    const [command = "", ...args] = cpus === null ? argv : ["taskset", "-c", cpus.join(), ...argv];
    this.#stopSignal = options.stopSignal ?? "SIGTERM";
    const outOfMemory = outOfMemoryKills();
    this.#process = new Deno.Command(command, {
      args,
      clearEnv: true,
      env: { ...options.env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      detached: true,
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      ...(options.uid !== undefined && { uid: options.uid }),
      ...(options.gid !== undefined && { gid: options.gid }),
    }).spawn();
    this.pid = this.#process.pid;
    this.#stdin = this.#process.stdin.getWriter();
    const out = this.#readLines(options.onLine ?? (() => {}));
    const err = this.#readStderr(options.onLog);
    this.ended = this.#process.status.then(async (status) => {
      const isOutOfMemory = status.signal === "SIGKILL" && !this.#isEndRequested &&
        outOfMemoryKills() > outOfMemory;
      this.#howItEnded = describeEnd(status) + (isOutOfMemory ? OUT_OF_MEMORY : "");
      // What it left behind may hold its pipes open
      this.#kill("SIGKILL");
      const tag = options.env?.[PROCESS_TAG];
      if (tag !== undefined) killTagged(tag);
      await Promise.all([out, err, this.#stdin.close().catch(() => {}), options.onEnd?.()]);
      return status;
    });
  }

  /** Whether the program has ended. */
  get hasEnded(): boolean {
    return this.#howItEnded !== null;
  }

  /** How it ended, in words, with what the system says of the cause. */
  get howItEnded(): string {
    return this.#howItEnded ?? "has not ended";
  }

  /** Whether it was still there when Stampede told it to end. */
  get isEndRequested(): boolean {
    return this.#isEndRequested;
  }

  /** The end of what it wrote to its standard error, to be put behind a message; or nothing. */
  get lastWords(): string {
    const words = hideUrls(this.#stderr.trim());
    return words === "" ? "" : `:\n${words}`;
  }

  /** Writes one line to its standard input; a program that has ended does not mind. */
  async writeLine(line: string): Promise<void> {
    await this.#stdin.write(new TextEncoder().encode(line + "\n")).catch(() => {});
  }

  /** Asks it to end, insists after a grace period, and waits until it has. */
  async stop(graceMs = GRACE_MS): Promise<Deno.CommandStatus> {
    if (this.hasEnded) return await this.ended; // its group's number may have been given away by now
    this.#isEndRequested = true;
    this.#kill(this.#stopSignal);
    const timer = setTimeout(() => this.#kill("SIGKILL"), graceMs);
    try {
      return await this.ended;
    } finally {
      clearTimeout(timer);
    }
  }

  #kill(signal: Deno.Signal): void {
    killGroup(this.pid, signal);
  }

  async #readLines(onLine: (line: string) => void): Promise<void> {
    const lines = this.#process.stdout.pipeThrough(new TextDecoderStream())
      .pipeThrough(new TextLineStream());
    for await (const line of lines) onLine(line);
  }

  async #readStderr(onLog?: (text: string) => void): Promise<void> {
    for await (const chunk of this.#process.stderr.pipeThrough(new TextDecoderStream())) {
      this.#stderr = (this.#stderr + chunk).slice(-STDERR_TAIL);
      onLog?.(chunk);
    }
  }
}

/** Sends a signal to a program and to its process group; a group that has ended is fine. */
export function killGroup(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(Deno.build.os === "windows" ? pid : -pid, signal);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied)) {
      throw error;
    }
  }
}

function describeEnd({ code, signal }: Deno.CommandStatus): string {
  return signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`;
}

/**
 * How many programs the system has killed since it started because memory had run out; 0 where it does not tell.
 * https://docs.kernel.org/filesystems/proc.html#vmstat
 */
function outOfMemoryKills(): number {
  return Number(readText("/proc/vmstat")?.match(/^oom_kill (\d+)$/m)?.[1] ?? 0);
}
