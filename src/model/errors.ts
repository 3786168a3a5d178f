/** Errors of the program, and its exit codes. */

/** The command is wrong or impossible, or an input file is invalid. The program ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something that Stampede needs has failed. The program ends with exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";

  /** @param output output of a program that Stampede could not parse, to be stored; or null */
  constructor(message: string, readonly output: string | null = null, options: ErrorOptions = {}) {
    super(message, options);
  }
}

/** Servers cannot be built, or their tools are missing, so a run that needs all has nothing to measure. */
export class NoServer extends Failure {
  /** @param variants ids of the variants with these servers */
  constructor(message: string, readonly variants: readonly string[]) {
    super(message);
  }
}

/** The user or the system stopped the program. It ends with exit code 130. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** A wrong response: the expected value and the received one. */
export class Mismatch extends Error {
  override readonly name = "Mismatch";

  constructor(readonly expected: string, readonly got: string) {
    super(`expected ${expected}, got ${got}`);
  }
}

/** Returns the message of an error, or of any other thrown value. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message || error.name) : String(error);
  } catch {
    return "an error without a message"; // a scenario file may throw any value
  }
}

/** The exit codes of the program. */
export const FINE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
export const UNDECIDED = 3;
/** After SIGINT: as in shells, 128 plus the signal's number, 2. */
export const INTERRUPTED = 130;

/** Every exit code of a command with its meaning, for the help and the reference. */
export const EXIT_CODES: readonly (readonly [code: number, says: string])[] = [
  [FINE, "success, even if some servers were skipped for a missing toolchain"],
  [
    FAILED,
    "a measurement or check failed, a result is invalid, misses --slo, or is proven slower by more than --fail-on",
  ],
  [WRONG_USAGE, "the command is wrong, or an input file is invalid"],
  [
    UNDECIDED,
    "nothing could be compared, the SLO of merged runners is unknown, bisect did not find one culprit, or --strict and undecided",
  ],
  [INTERRUPTED, "Ctrl-C, SIGTERM or SIGHUP: results so far are kept (serve ends with 0)"],
];
