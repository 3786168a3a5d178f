/** How the program ends: the codes, and what each says to the one who started it. */

export const FINE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
export const UNDECIDED = 3;
/** As shells have it for a program that SIGINT ended: 128 and the signal's number. */
export const INTERRUPTED = 130;

/** Every code that a command ends with, for help and for the reference. */
export const EXIT_CODES: readonly (readonly [code: number, says: string])[] = [
  [FINE, "all went well; a server whose toolchain is missing does not count"],
  [
    FAILED,
    "something failed, is invalid, misses --slo, or is proven to be more than --fail-on slower",
  ],
  [WRONG_USAGE, "the command makes no sense, or a file cannot be read as what it should be"],
  [UNDECIDED, "nothing could be compared, or --strict and undecided"],
  [INTERRUPTED, "Ctrl-C, SIGTERM or SIGHUP: what was measured is kept (serve ends with 0)"],
];
