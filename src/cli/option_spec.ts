/** Every subcommand that takes options. */
export type CommandName =
  | "run"
  | "list"
  | "verify"
  | "doctor"
  | "noise"
  | "generators"
  | "serve"
  | "completions"
  | "clean-database";

/** One option: where it applies, how it is read, and what it is when it is not given. */
export interface OptionSpec {
  readonly flags: string;
  readonly help: string;
  readonly commands: readonly CommandName[];
  /** A variable that sets it too; the flag wins. */
  readonly env?: string;
  readonly fallback?: unknown;
  /** The fallback under --quick, where that is another. */
  readonly quick?: unknown;
  /** How the fallback is worded, where its value does not say it. */
  readonly fallbackText?: string;
  readonly choices?: readonly string[];
  /** Reads the value; gets the one before where the option was given more than once. */
  readonly parse?: (text: string, previous: unknown) => unknown;
}
