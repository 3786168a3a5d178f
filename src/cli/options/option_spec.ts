/** Every subcommand. */
export const COMMAND_NAMES = [
  "run",
  "capacity",
  "compare",
  "versus",
  "report",
  "history",
  "export",
  "import",
  "site",
  "verify",
  "faults",
  "doctor",
  "noise",
  "generators",
  "list",
  "serve",
  "init",
  "new",
  "completions",
  "clean-database",
] as const;
export type CommandName = typeof COMMAND_NAMES[number];

/** The commands that measure. */
export const MEASURING: readonly CommandName[] = [
  "run",
  "capacity",
  "noise",
  "generators",
  "versus",
];

/** Those that measure in rounds, as often as their figures need. */
export const IN_ROUNDS: readonly CommandName[] = ["run", "noise", "generators", "versus"];

/** Words about an option: of some commands, and `else` of the others. */
export type TextOfCommand = Readonly<{ else: string } & { [command in CommandName]?: string }>;

/** One option: where it applies, how it is read, and what it is when it is not given. */
export interface OptionSpec {
  readonly flags: string;
  readonly help: string | TextOfCommand;
  readonly commands: readonly CommandName[];
  /** A variable that sets it too; the flag wins. */
  readonly env?: string;
  readonly fallback?: unknown;
  /** The fallback under --quick, where that is another. */
  readonly quick?: unknown;
  /** How the fallback is worded, where its value does not say it, or it depends on the command. */
  readonly fallbackText?: string | TextOfCommand;
  readonly choices?: readonly string[];
  /** Reads the value; gets the one before where the option was given more than once. */
  readonly parse?: (text: string, previous: unknown) => unknown;
}
