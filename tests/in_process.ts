import { resolve } from "node:path";
import type { Io } from "../src/cli/io.ts";
import { main } from "../src/cli/program.ts";
import { LocalTestbed } from "../src/engine/local_testbed.ts";
import { wrapLines } from "../src/view/table.ts";
import type { Outcome } from "./bench.ts";

/** The surroundings of a command in this process. */
export interface World {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stop?: AbortSignal;
  readonly testbed?: Io["testbed"];
  /** Width of the screen; defaults to 200. */
  readonly columns?: number;
  /** Whether progress is displayed as on a terminal. */
  readonly hasTerminal?: boolean;
}

/**
 * Runs a command in this process, for tests of its output and files. Signals, exit codes and leftovers need a
 * separate process (`Sandbox`).
 */
export async function execute(
  args: readonly string[],
  {
    folder,
    env = {},
    stop = new AbortController().signal,
    testbed,
    columns = 200,
    hasTerminal = false,
  }: World,
): Promise<Outcome> {
  const texts = { stdout: "", stderr: "" };
  const io: Io = {
    out: (text) => void (texts.stdout += `${text}\n`),
    say: (text) => void (texts.stdout += `${wrapLines(text, columns)}\n`),
    err: (text) => void (texts.stderr += `${text}\n`),
    screen: { columns, styled: false },
    progress: {
      write: (text) => void (texts.stderr += text),
      columns: hasTerminal ? columns : null,
    },
    env: (name) => env[name] ?? (["PATH", "HOME"].includes(name) ? Deno.env.get(name) : undefined),
    folder,
    results: env.STAMPEDE_RESULTS ?? "results",
    path: (text) => text && resolve(folder, text),
    program: ["stampede"],
    args,
    stop,
    testbed: testbed ?? ((options) => new LocalTestbed(options)),
  };
  return { code: await main(args, io), ...texts };
}
