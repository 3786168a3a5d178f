/** Names of all commands. */
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

/** The commands that measure in rounds and add rounds until intervals are narrow. */
export const IN_ROUNDS: readonly CommandName[] = ["run", "noise", "generators", "versus"];

/** A text about an option: `else` for all commands without a separate text. */
export type TextOfCommand = Readonly<{ else: string } & { [command in CommandName]?: string }>;

/** One option: its commands, parser, default and help text. */
export interface OptionSpec {
  readonly flags: string;
  readonly help: string | TextOfCommand;
  /** Text in `bench --help`, for the ten options of `run` that people use first. */
  readonly brief?: string;
  readonly commands: readonly CommandName[];
  /** Environment variable that also sets the option; the flag takes precedence. */
  readonly env?: string;
  readonly fallback?: unknown;
  /** The default under --quick, if it differs. */
  readonly quick?: unknown;
  /** The default in words, if its value is not clear enough, or if it depends on the command. */
  readonly fallbackText?: string | TextOfCommand;
  readonly choices?: readonly string[];
  /** Parses the value; `previous` is the parsed value of an earlier occurrence of the option. */
  readonly parse?: (text: string, previous: unknown) => unknown;
}
