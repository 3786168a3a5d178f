import { type Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../../model/errors.ts";
import type { CommandName, OptionSpec, TextOfCommand } from "./option_spec.ts";
import { OPTION_GROUPS, OPTIONS } from "./option_table.ts";

/** Heading in help of the options that people use first. */
const FIRST = "Most used";

/** Returns the options of one command for commander; those of `run` begin with the most used ones. */
export function optionsOf(command: CommandName): Option[] {
  const isFirst = ({ brief }: OptionSpec): boolean => command === "run" && brief !== undefined;
  const groups = [
    [FIRST, OPTIONS.filter(isFirst)] as const,
    ...OPTION_GROUPS.map(([heading, options]) =>
      [heading, options.filter((spec) => !isFirst(spec))] as const
    ),
  ];
  return groups.flatMap(([heading, options]) =>
    options.filter(({ commands }) => commands.includes(command))
      .map((spec) => toOption(spec, command).helpGroup(`${heading}:`))
  );
}

/** Returns the flags and brief texts of the options that people use first. */
export function firstOptions(): (readonly [flags: string, text: string])[] {
  return OPTIONS.flatMap(({ flags, brief }) =>
    brief === undefined ? [] : [[flags, brief] as const]
  );
}

function textFor(text: string | TextOfCommand, command: CommandName): string {
  return typeof text === "object" ? text[command] ?? text.else : text;
}

function toOption(
  { flags, help, env, fallback, fallbackText, choices, parse }: OptionSpec,
  command: CommandName,
): Option {
  const worded = fallbackText && textFor(fallbackText, command);
  const own = textFor(help, command);
  const isValue = fallback !== undefined && fallback !== false;
  const variable = env === undefined ? "" : `env: ${env}`;
  const more = [worded === undefined ? "" : `default: ${worded}`, variable].filter(Boolean);
  const text = isValue ? own : [own, ...more.map((one) => `(${one})`)].join(" ");
  const option = new Option(flags, text);
  if (isValue) {
    const shown = worded ?? JSON.stringify(fallback);
    option.default(fallback, [shown, variable].filter(Boolean).join(", "));
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
export function applyVariables(
  command: Command,
  env: (name: string) => string | undefined,
): void {
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
    if (quick !== undefined && !isGiven) {
      command.setOptionValue(name, quick);
    }
  }
}
