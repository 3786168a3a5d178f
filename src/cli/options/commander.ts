/** Turns the table of options into options of commander, and sets those that variables or --quick set. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../../model/errors.ts";
import type { CommandName, OptionSpec, TextOfCommand } from "./option_spec.ts";
import { OPTIONS } from "./option_table.ts";

/** Returns the options of one command for commander; those of `run` begin with the most used ones. */
export function optionsOf(command: CommandName): Option[] {
  const own = OPTIONS.filter(({ commands }) => commands.includes(command));
  const isFirst = ({ brief }: OptionSpec): boolean => command === "run" && brief !== undefined;
  return [
    ...own.filter(isFirst).map((spec) => ({ ...spec, group: "Most used" })),
    ...own.filter((spec) => !isFirst(spec)),
  ].map((spec) => toOption(spec, command));
}

function toOption(
  { flags, group, help, env, fallback, fallbackText, choices, parse }: OptionSpec,
  command: CommandName,
): Option {
  const textFor = (text: string | TextOfCommand): string =>
    typeof text === "object" ? text[command] ?? text.else : text;
  const inWords = fallbackText && textFor(fallbackText);
  const variable = env === undefined ? [] : [`env: ${env}`];
  const option = new Option(flags, textFor(help)).helpGroup(`${group}:`);
  if (fallback === undefined) {
    const notes = [...(inWords === undefined ? [] : [`default: ${inWords}`]), ...variable];
    option.description = [option.description, ...notes.map((note) => `(${note})`)].join(" ");
  } else {
    option.default(fallback, [inWords ?? JSON.stringify(fallback), ...variable].join(", "));
  }
  if (choices !== undefined) option.choices([...choices]);
  if (parse !== undefined) option.argParser(parse);
  return option;
}

/**
 * Sets options from environment variables, unless a flag sets them. An empty variable counts as
 * unset, because .env.example contains empty ones.
 *
 * @throws {UsageError} if the value of a variable is invalid
 */
export function applyVariables(command: Command, env: (name: string) => string | undefined): void {
  const own = OPTIONS.filter(({ commands }) => commands.some((name) => name === command.name()));
  for (const { flags, env: variable, parse = (text: string) => text } of own) {
    const name = new Option(flags).attributeName();
    const text = variable === undefined ? undefined : env(variable);
    if (!text || command.getOptionValueSource(name) === "cli") continue;
    try {
      command.setOptionValueWithSource(name, parse(text, undefined), "env");
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new UsageError(
        `option '${flags}' value '${text}' from env '${variable}' is invalid. ${error.message}`,
      );
    }
  }
}

/** Sets the defaults of --quick, unless a flag or variable sets the option. */
export function applyQuick(command: Command): void {
  for (const { flags, quick } of OPTIONS) {
    const name = new Option(flags).attributeName();
    const isGiven = !["default", undefined].includes(command.getOptionValueSource(name));
    if (quick !== undefined && !isGiven) command.setOptionValue(name, quick);
  }
}
