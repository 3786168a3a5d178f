import type { Server } from "../model/server.ts";
import { resolveCommand } from "./command.ts";

/** How long a program may take to say its version. */
const TIMEOUT_MS = 30_000;

/** The programs on this machine that servers need, each asked for its version once. */
export class Toolchain {
  readonly #replies: Map<string, Promise<ProgramReply>> = new Map();
  readonly #timeoutMs: number;

  /** @param timeoutMs how long each may take */
  constructor(timeoutMs = TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  /** Why a server cannot be had here: what it needs and how to get it; null if it can. */
  async missing(server: Pick<Server, "requires" | "folder">): Promise<string | null> {
    for (const requirement of server.requires) {
      const { command, minimum, install } = requirement;
      const name = requirement.name ?? command[0];
      const { line, problem } = await this.#ask(command, server.folder);
      if (line === null) {
        const output = requirement.name === undefined ? problem : null;
        const what = output === null ? "not found" : `${output} "${command.join(" ")}"`;
        return `${name} ${what} (${install})`;
      }
      const version = versionIn(line);
      if (isOlder(version, minimum)) {
        return `${name} ${version} is older than ${minimum} (${install})`;
      }
    }
    return null;
  }

  /** The first line that a command prints; null if it cannot be run. */
  async versionOf(command: readonly string[], folder: string): Promise<string | null> {
    return (await this.#ask(command, folder)).line;
  }

  #ask(command: readonly string[], folder: string): Promise<ProgramReply> {
    const argv = resolveCommand(command, {}, folder);
    const key = JSON.stringify([folder, argv]);
    const reply = this.#replies.get(key) ?? run(argv, folder, this.#timeoutMs);
    this.#replies.set(key, reply);
    return reply;
  }
}

/** What a program said. */
interface ProgramReply {
  /** Its first line; null if it failed, or is not there. */
  readonly line: string | null;
  /** What it did at the question; null if it is not there, or all is well. */
  readonly problem: string | null;
}

async function run(argv: readonly string[], cwd: string, timeoutMs: number): Promise<ProgramReply> {
  const [program = "", ...args] = argv;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd, signal })
      .output();
    const text = new TextDecoder().decode(stdout).trim() || new TextDecoder().decode(stderr).trim();
    if (success) return { line: text.split("\n")[0] ?? "", problem: null };
    const problem = signal.aborted ? `says nothing for ${timeoutMs / 1000} s at` : "fails at";
    return { line: null, problem };
  } catch {
    return { line: null, problem: null }; // There is no such program, or it may not be run.
  }
}

/** The first number with dots in a text, or else the first: `go version go1.26.8` has 1.26.8. */
export function versionIn(text: string): string {
  return (text.match(/\d+(\.\d+)+/) ?? text.match(/\d+/))?.[0] ?? "0";
}

/** Whether a version is lower than another, part by part. */
export function isOlder(version: string, than: string): boolean {
  const [a = [], b = []] = [version, than].map((text) => text.split(".").map(Number));
  for (const [i, wanted] of b.entries()) {
    const had = a[i] ?? 0;
    if (had !== wanted) return had < wanted;
  }
  return false;
}
