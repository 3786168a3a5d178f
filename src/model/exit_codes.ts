/** Exit codes of the program, and their meaning. */

export const FINE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
export const UNDECIDED = 3;
/** Exit code after SIGINT. As in shells, it is 128 plus the signal's number, 2. */
export const INTERRUPTED = 130;

/** Every exit code of a command with its meaning, for the help and the reference. */
export const EXIT_CODES: readonly (readonly [code: number, says: string])[] = [
  [FINE, "success; a server with a missing toolchain does not count as a failure"],
  [
    FAILED,
    "a measurement failed, is invalid, misses --slo, or is proven slower by more than --fail-on",
  ],
  [WRONG_USAGE, "the command is wrong, or an input file is invalid"],
  [UNDECIDED, "nothing could be compared, or --strict and undecided"],
  [INTERRUPTED, "Ctrl-C, SIGTERM or SIGHUP: results so far are kept (serve ends with 0)"],
];
