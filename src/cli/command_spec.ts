/** The form of a command, and the options of all commands. */
import type { ExperimentOptions } from "../experiment/options.ts";
import type { Rates } from "../experiment/kinds.ts";
import type { SelectOptions } from "../experiment/select.ts";
import type { Slo } from "../model/experiment.ts";
import type { FaultId } from "../model/fault.ts";
import type { Format } from "../view/reporters.ts";
import type { Io } from "./io.ts";
import type { CommandName } from "./options/option_spec.ts";

/** The parsed options of all commands. A command receives only those that the table gives it. */
export interface Options extends ExperimentOptions, SelectOptions {
  readonly allowRemoteDatabase?: boolean;
  readonly base?: string;
  readonly cache?: string;
  readonly csv?: string;
  readonly dryRun?: boolean;
  readonly explain?: string;
  readonly force?: boolean;
  readonly format: Format;
  readonly host: string;
  readonly html?: string;
  readonly json?: boolean;
  readonly kubernetes?: string;
  readonly like: string;
  readonly markdown?: string;
  /** Path of a report of `bench noise`; `none` for no noise floors. */
  readonly noise?: string;
  readonly only?: readonly FaultId[];
  readonly out?: string;
  readonly parallelism: number;
  readonly partial?: boolean;
  readonly port: number;
  /** Id of a built-in preset, or path of a preset's file. */
  readonly preset?: string;
  /** Whether --quick is given. Its defaults are already in the other options. */
  readonly quick?: boolean;
  readonly rate?: Rates;
  readonly slo?: Slo;
  readonly strict?: boolean;
  readonly users?: number;
  readonly wide?: boolean;
  readonly withValues?: boolean;
}

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
  readonly action: (args: readonly string[], options: Options, io: Io) => Promise<number>;
}

/** Some of the commands. */
export type Commands = Readonly<Partial<Record<CommandName, CommandSpec>>>;
