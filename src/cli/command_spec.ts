import type { Io } from "./io.ts";
import type { CommandName } from "./options/option_spec.ts";

/** A command: its help, its arguments and its action. */
export interface CommandSpec {
  readonly summary: string;
  /** The heading in `bench --help`. */
  readonly group: "Measure" | "Read and compare" | "Prepare" | "Several machines";
  /** Command lines without the program's name, each with its purpose. */
  readonly examples?: readonly (readonly [command: string, does: string])[];
  /** Name and help text of the command's arguments; absent if it takes none. */
  readonly takes?: readonly [name: string, help: string];
  /** Runs the command and returns its exit code; throws UsageError for invalid words or options. */
  // deno-lint-ignore no-explicit-any -- commander's options are checked by the table that made them
  readonly action: (args: readonly string[], options: any, io: Io) => Promise<number>;
}

/** Some of the commands. */
export type Commands = Readonly<Partial<Record<CommandName, CommandSpec>>>;
