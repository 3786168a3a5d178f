// deno-lint-ignore-file no-console -- the one place that prints
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import type { LocalTestbedOptions } from "../engine/local_testbed.ts";
import type { Testbed } from "../engine/testbed.ts";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFileSync } from "../model/input_file.ts";
import { shown } from "../model/text.ts";
import { type Screen, wrapLines } from "../view/table.ts";
import { interruption } from "./interruption.ts";
import { OPTIONS, VARIABLES } from "./options/option_table.ts";

/** A command's access to the terminal, files and the environment. */
export interface Io {
  /** Prints a result to standard output, unwrapped. */
  out(text: string): void;
  /** Prints sentences to standard output, wrapped between words if it is a terminal. */
  say(text: string): void;
  /** Prints messages to standard error, wrapped between words if it is a terminal. */
  err(text: string): void;
  readonly screen: Screen;
  /** The output for progress. `columns` is the terminal's width; null if it is not a terminal. */
  readonly progress: { write(text: string): void; readonly columns: number | null };
  /** Returns a variable of the shell or of `.env`. */
  env(name: string): string | undefined;
  /** The working directory. */
  readonly folder: string;
  /** The folder of reports, as the person knows it: `results`, or that of STAMPEDE_RESULTS. */
  readonly results: string;
  /** Resolves a path against the folder in which the person typed the command. */
  path(text: string): string;
  /** The words before the arguments, as typed: `deno task bench`. */
  readonly program: readonly string[];
  readonly args: readonly string[];
  /** Aborts at Ctrl-C and other signals to stop. */
  readonly stop: AbortSignal;
  testbed(options: LocalTestbedOptions): Testbed | Promise<Testbed>;
}

/** Width of files, pipes and terminals of unknown width, in columns: room for the widest table. */
const LOG_COLUMNS = 200;
/** Width and styles of a text that is written to a file. */
export const FILE: Screen = { columns: LOG_COLUMNS, styled: false };

export function processIo(args: readonly string[]): Io {
  const encoder = new TextEncoder();
  const stop = interruption();
  const folder = Deno.cwd();
  const caller = Deno.env.get("INIT_CWD") || folder; // `deno task` changes the folder
  // In a user's project, .env is that of the project
  const settings = Deno.env.get(PROGRAM) ? join(folder, "stampede") : folder;
  let env: Io["env"] | null = null;
  return {
    out: (text) => console.log(shown(text, screenOf().styled)),
    say: (text) => console.log(wrapped(shown(text, screenOf().styled), Deno.stdout)),
    err: (text) => console.error(wrapped(shown(text, false), Deno.stderr)),
    get screen() {
      return screenOf();
    },
    progress: {
      write: (text) => {
        try {
          Deno.stderr.writeSync(encoder.encode(text));
        } catch {
          // The terminal or pipe was closed, but the report must still be written
        }
      },
      columns: Deno.stderr.isTerminal() && !isDumb() ? terminalColumns() : null,
    },
    env: (name) => (env ??= readEnvFile(settings, (name) => Deno.env.get(name)))(name),
    folder,
    get results() {
      return this.env("STAMPEDE_RESULTS") || "results";
    },
    path: (text) => text && resolve(caller, text),
    program: typedProgram(),
    args,
    get stop() {
      return stop();
    },
    testbed: async (options) =>
      new (await import("../engine/local_testbed.ts")).LocalTestbed(options),
  };
}

function wrapped(text: string, stream: { isTerminal(): boolean }): string {
  return stream.isTerminal() ? wrapLines(text, terminalColumns()) : text;
}

/** The variable in which the launcher of the npm package passes the words before the arguments, as JSON. */
const PROGRAM = "STAMPEDE_PROGRAM";

/** Returns the words before the arguments: from the launcher of the npm package, or from Deno's start. */
function typedProgram(): string[] {
  const known = Deno.env.get(PROGRAM);
  if (known) return JSON.parse(known);
  if (Deno.env.get("INIT_CWD")) return ["deno", "task", "bench"];
  const main = Deno.mainModule.startsWith("file:") ? fileURLToPath(Deno.mainModule) : "";
  const path = relative(Deno.cwd(), main);
  return main === "" || path.startsWith("..") ? ["stampede"] : ["deno", "run", "-A", path];
}

function screenOf(): Screen {
  if (!Deno.stdout.isTerminal()) return FILE;
  return { columns: terminalColumns(), styled: !Deno.noColor && !isDumb() };
}

/** Returns whether escape sequences are unsupported: https://man7.org/linux/man-pages/man7/term.7.html */
function isDumb(): boolean {
  return Deno.env.get("TERM") === "dumb";
}

function terminalColumns(): number {
  try {
    return Deno.consoleSize().columns || LOG_COLUMNS;
  } catch {
    return LOG_COLUMNS;
  }
}

/** Variables that name a database server. If the shell sets one, a DATABASE_URL in the file is ignored. */
const NAME_A_SERVER = ["PGHOST", "PGPORT", "PGUSER", "PGDATABASE"];

/**
 * Returns the environment with the variables in the text of a `.env` file. The shell's values take
 * precedence. Only Stampede's variables are read, because other programs may use the file too.
 */
export function withEnvFile(text: string, shell: Io["env"]): Io["env"] {
  const own = new Set([
    ...OPTIONS.flatMap(({ env }) => env ?? []),
    ...VARIABLES.map(([name]) => name),
  ]);
  const file: Record<string, string | undefined> = parseEnv(text);
  const isNamed = NAME_A_SERVER.some((name) => shell(name));
  return (name) => {
    const set = shell(name);
    if (set !== undefined || !own.has(name)) return set;
    return name === "DATABASE_URL" && isNamed ? undefined : file[name];
  };
}

/** Adds the `.env` file of a folder, if there is one; throws UsageError if it is unreadable. */
export function readEnvFile(folder: string, shell: Io["env"]): Io["env"] {
  try {
    return withEnvFile(readInputFileSync(`${folder}/.env`, "env"), shell);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return shell;
    throw new UsageError(`Cannot read .env: ${messageOf(error)}`);
  }
}
