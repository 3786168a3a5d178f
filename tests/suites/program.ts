import { Failure } from "../../src/model/errors.ts";

/** Output and exit code of a program. */
export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of {@linkcode runProgram}. */
export interface RunOptions {
  /** Its standard input; empty by default. */
  readonly input?: string;
  readonly timeoutS: number;
}

/**
 * Runs a program to its end.
 *
 * @throws {Deno.errors.NotFound} if the program is missing.
 * @throws {Failure} if it takes longer than its timeout.
 */
export async function runProgram(
  [program = "", ...args]: readonly string[],
  { input = "", timeoutS }: RunOptions,
): Promise<Printed> {
  const signal = AbortSignal.timeout(1000 * timeoutS);
  const process = new Deno.Command(program, {
    args,
    signal,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    env: { NO_COLOR: "1" },
  }).spawn();
  const writer = process.stdin.getWriter();
  // The program may have ended already
  await writer.write(new TextEncoder().encode(input)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await process.output();
  if (signal.aborted) throw new Failure(`${program} took longer than ${timeoutS} s`);
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Returns the last line of a program's output, for a message. */
export function lastLineOf({ stdout, stderr }: Printed): string {
  const lines = `${stdout}\n${stderr}`.split("\n").filter((line) => line.trim() !== "");
  return lines.at(-1)?.trim() ?? "nothing";
}

/**
 * Runs a program that must succeed.
 *
 * @returns its standard output
 * @throws {Failure} with its last line if it fails.
 */
export async function outputOf(argv: readonly string[], options: RunOptions): Promise<string> {
  const result = await runProgram(argv, options);
  if (result.code !== 0) {
    throw new Failure(`"${argv.join(" ")}" ended with ${result.code}: ${lastLineOf(result)}`);
  }
  return result.stdout;
}
