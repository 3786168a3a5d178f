/** Commands of manifests, and the installed programs that they require. */
import { basename, isAbsolute, join, resolve } from "node:path";
import type { Server } from "../model/server.ts";

/** Matches a placeholder, such as `{PORT}`. */
export const PLACEHOLDER = /\{([A-Z_]+)\}/g;

type Placeholders = Readonly<Record<string, string | null | undefined>>;

/**
 * Returns a command of a manifest that runs in a folder. Placeholders are filled in; an argument
 * whose placeholder has no value is omitted. `deno` becomes the Deno that runs Stampede. A relative
 * path with a slash is resolved in the folder.
 */
export function resolveCommand(
  command: readonly string[],
  values: Placeholders,
  folder: string,
): string[] {
  const [program = "", ...args] = command.flatMap((argument) => fill(argument, values) ?? []);
  if (program === "deno") return [Deno.execPath(), ...args];
  if (/^deno(\.exe)?$/.test(basename(program))) return [program, ...withOnePermission(args)];
  const isHere = program.includes("/") && !isAbsolute(program);
  return [isHere ? join(folder, program) : program, ...args];
}

/** Joins repeated permissions, `--allow-net=a --allow-net=b`, which Deno takes only from 2.9 on. */
function withOnePermission(args: readonly string[]): string[] {
  const keyOf = (argument: string, i: number): string | number =>
    /^--allow-\w+(?==)/.exec(argument)?.[0] ?? i;
  return [...Map.groupBy(args, keyOf).values()].map(([first = "", ...others]) =>
    [first, ...others.map((other) => other.slice(other.indexOf("=") + 1))].join()
  );
}

/** Returns a text with its placeholders filled in; null if one has no value. */
export function fill(text: string, values: Placeholders): string | null {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  if (names.some((name) => !values[name])) return null;
  return text.replace(PLACEHOLDER, (_all, name) => values[name] ?? "");
}

/** Returns the folder of a server's sources. */
export function sourcesOf({ folder, sources }: Pick<Server, "folder" | "sources">): string {
  return resolve(folder, sources);
}

/** The installed programs that servers require. Each version command runs only once. */
export class Toolchain {
  readonly #replies: Map<string, Promise<ProgramReply>> = new Map();
  readonly #timeoutMs: number;

  /** Sets the time limit of each version command, in milliseconds. */
  constructor(timeoutMs = 30_000) {
    this.#timeoutMs = timeoutMs;
  }

  /** Returns the first missing requirement of a server and how to install it; null if none is. */
  async missing(server: Pick<Server, "requires" | "folder" | "sources">): Promise<string | null> {
    const folder = sourcesOf(server);
    for (const { command, name, minimum, install } of server.requires) {
      const shown = name ?? command[0];
      const { line, problem } = await this.#ask(command, folder);
      if (line === null) {
        const isFailing = name === undefined && problem !== null;
        const what = isFailing ? `${problem} "${command.join(" ")}"` : "not found";
        return `${shown} ${what} (${install})`;
      }
      const version = versionIn(line);
      if (isOlder(version, minimum)) {
        return `${shown} ${version} is older than ${minimum} (${install})`;
      }
    }
    return null;
  }

  /** Returns the first line that a command prints; null if it cannot run. */
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

/** The first line that a version command printed, or why it failed; neither without a program. */
type ProgramReply = Readonly<Record<"line" | "problem", string | null>>;

async function run(argv: readonly string[], cwd: string, timeoutMs: number): Promise<ProgramReply> {
  const [program = "", ...args] = argv;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd, signal })
      .output();
    const text = new TextDecoder().decode(stdout).trim() || new TextDecoder().decode(stderr).trim();
    if (success) return { line: text.split("\n")[0] ?? "", problem: null };
    const problem = signal.aborted ? `printed nothing for ${timeoutMs / 1000} s at` : "fails at";
    return { line: null, problem };
  } catch {
    return { line: null, problem: null }; // the program is missing or not executable
  }
}

/** Returns the first number with dots in a text, or else the first number: 1.26.8 of `go1.26.8`. */
function versionIn(text: string): string {
  return (text.match(/\d+(\.\d+)+/) ?? text.match(/\d+/))?.[0] ?? "0";
}

function isOlder(version: string, than: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [i, wanted] of than.split(".").map(Number).entries()) {
    const had = parts[i] ?? 0;
    if (had !== wanted) return had < wanted;
  }
  return false;
}
