/** The person asked for something that cannot be: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Something that Stampede needs did not work: exit code 1. */
export class Failure extends Error {
  override readonly name = "Failure";

  /** @param output what a program printed that cannot be read, to be kept; null if nothing. */
  constructor(
    message: string,
    readonly output: string | null = null,
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }
}

/** The person, or the system, asked the program to stop: exit code 130. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** A wrong response: what was expected and what came. */
export class Mismatch extends Error {
  override readonly name = "Mismatch";

  constructor(readonly expected: string, readonly got: string) {
    super(`expected ${expected}, got ${got}`);
  }
}

/** The message of an error, or of anything else that was thrown. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message || error.name) : String(error);
  } catch {
    return "an error without a message"; // a scenario file may throw any value
  }
}
