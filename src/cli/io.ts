// deno-lint-ignore-file no-console -- the one place that prints
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { LocalTestbed, type LocalTestbedOptions } from "../engine/local_testbed.ts";
import type { Testbed } from "../engine/testbed.ts";
import { shown } from "../model/text.ts";
import type { Screen } from "../view/draw.ts";
import { wrapLines } from "../view/wrap.ts";
import { readEnvFile } from "./env_file.ts";
import { Interruption } from "./interruption.ts";

/** Everything that a command touches of the world around it. */
export interface Io {
  /** Prints the unchanged result to standard output. */
  out(text: string): void;
  /** Prints sentences to standard output, wrapped between words if it is a terminal. */
  say(text: string): void;
  /** Prints what is not the result, to standard error, wrapped between words if that is a terminal. */
  err(text: string): void;
  /** What standard output shows. */
  readonly screen: Screen;
  /** Where progress goes: text as it is, and how wide a terminal is; null if it is none. */
  readonly progress: { write(text: string): void; readonly columns: number | null };
  /** A variable, of the shell or of `.env`. */
  env(name: string): string | undefined;
  /** The folder that holds `results/`. */
  readonly folder: string;
  /** The path of a file, from where the person is. */
  path(text: string): string;
  /** What was typed before the arguments. */
  readonly program: readonly string[];
  readonly args: readonly string[];
  /** Aborts when the person, or the system, asks the program to stop. */
  readonly stop: AbortSignal;
  /** Where experiments are run. */
  testbed(options: LocalTestbedOptions): Testbed;
}

const LOG_COLUMNS = 200;
/** What a file shows. */
export const FILE: Screen = { columns: LOG_COLUMNS, styled: false };

/** The process that this is, its terminal and its environment. */
export function processIo(args: readonly string[]): Io {
  const encoder = new TextEncoder();
  const interruption = new Interruption();
  const folder = Deno.cwd();
  let env: Io["env"] | null = null;
  return {
    out: (text) => console.log(shown(text, screenOf().styled)),
    say: (text) => {
      const line = shown(text, screenOf().styled);
      console.log(Deno.stdout.isTerminal() ? wrapLines(line, terminalColumns()) : line);
    },
    err: (text) => {
      const line = shown(text, false);
      console.error(Deno.stderr.isTerminal() ? wrapLines(line, terminalColumns()) : line);
    },
    get screen() {
      return screenOf();
    },
    progress: {
      write: (text) => {
        try {
          Deno.stderr.writeSync(encoder.encode(text));
        } catch {
          // The terminal was closed, or who read the pipe has gone: there is still a report to be written
        }
      },
      columns: Deno.stderr.isTerminal() && !isDumb() ? terminalColumns() : null,
    },
    env: (name) => (env ??= readEnvFile(folder, (name) => Deno.env.get(name)))(name),
    folder,
    path: (text) => text && resolve(caller(), text),
    program: program(),
    args,
    get stop() {
      return interruption.signal;
    },
    testbed: (options) => new LocalTestbed(options),
  };
}

/** The folder that the person is in: `deno task` starts in another one. */
function caller(): string {
  return Deno.env.get("INIT_CWD") || Deno.cwd();
}

/** What the person typed before the arguments, as far as can be told. */
function program(): string[] {
  if (Deno.env.get("INIT_CWD")) return ["deno", "task", "bench"];
  const main = Deno.mainModule.startsWith("file:") ? fileURLToPath(Deno.mainModule) : "";
  const path = relative(Deno.cwd(), main);
  return main === "" || path.startsWith("..") ? ["stampede"] : ["deno", "run", "-A", path];
}

/** A file or a pipe is as wide as it needs to be, and plain. */
function screenOf(): Screen {
  const isTerminal = Deno.stdout.isTerminal();
  return {
    columns: isTerminal ? terminalColumns() : LOG_COLUMNS,
    styled: isTerminal && !Deno.noColor && !isDumb(),
  };
}

/** Whether the terminal knows no escape sequences: https://man7.org/linux/man-pages/man7/term.7.html */
function isDumb(): boolean {
  return Deno.env.get("TERM") === "dumb";
}

/** How wide the terminal is; one that does not know counts as wide. */
function terminalColumns(): number {
  try {
    return Deno.consoleSize().columns || LOG_COLUMNS;
  } catch {
    return LOG_COLUMNS;
  }
}
