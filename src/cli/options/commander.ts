import { type Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../../model/errors.ts";
import {
  COMMAND_NAMES,
  type CommandName,
  type OptionSpec,
  type TextOfCommand,
} from "./option_spec.ts";
import { OPTION_GROUPS, OPTIONS } from "./option_table.ts";
import { DATABASE_VARIABLES } from "./server_options.ts";

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

/** Joins the texts of an option for different commands: `10; doctor: 100`. */
function textForAll(text: string | TextOfCommand): string {
  if (typeof text !== "object") return text;
  const { else: usual, ...others } = text;
  const groups = Map.groupBy(Object.entries(others), ([, own]) => own);
  const named = [...groups].map(([own, commands]) =>
    `${commands.map(([command]) => command).join(", ")}: ${own}`
  );
  return [usual, ...named].join("; ");
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

/**
 * Returns the default of an option in words; empty without a default.
 *
 * @param inWords returns the text to use; by default it joins the texts of all commands
 */
function fallbackOf({ fallback, fallbackText }: OptionSpec, inWords = textForAll): string {
  if (fallbackText !== undefined) return inWords(fallbackText);
  return fallback === false ? "" : String(fallback ?? "");
}

/** Returns the options as Markdown for the reference: those of each command, then the shared ones. */
export function optionsTable(): string {
  const everywhere = OPTIONS.filter(({ commands }) => commands.length === COMMAND_NAMES.length);
  const shared = OPTIONS.filter((spec) => spec.commands.length > 1 && !everywhere.includes(spec));
  const sections = COMMAND_NAMES.flatMap((name) => {
    const taken = OPTIONS.filter(({ commands }) => commands.includes(name));
    const own = taken.filter(({ commands }) => commands.length === 1);
    const others = taken.filter((spec) => shared.includes(spec)).map(({ flags }) =>
      `\`${/--[a-z0-9-]+/.exec(flags)?.[0]}\``
    );
    const list = others.length === 0 ? [] : [`- shared: ${others.join(", ")}`];
    const lines = [...own.map(optionLine), ...list];
    return lines.length === 0 ? [] : [`### ${name}\n\n${lines.join("\n")}`];
  });
  return [
    `### Every command\n\n${everywhere.map(optionLine).join("\n")}`,
    ...sections,
    `### Shared options\n\n${shared.map(optionLine).join("\n")}`,
  ].join("\n\n");
}

/** Returns one option as an item of a Markdown list, with an inner list of the commands that differ. */
function optionLine(spec: OptionSpec): string {
  const { flags, help, env, choices, fallbackText } = spec;
  const usual = fallbackOf(spec, usualText);
  const line = [
    `- \`${flags}\`: ${usualText(help)}.`,
    ...(choices === undefined ? [] : [`One of: ${choices.join(", ")}.`]),
    ...(usual === "" ? [] : [`Default: ${usual}.`]),
    ...(env === undefined ? [] : [`Variable: \`${env}\`.`]),
  ].join(" ");
  const differing = spec.commands.flatMap((command) => {
    const text = ownText(help, command);
    const worded = ownText(fallbackText, command);
    if (text === undefined && worded === undefined) return [];
    const parts = [
      ...(text === undefined ? [] : [`${text}.`]),
      ...(worded === undefined ? [] : [`Default: ${worded}.`]),
    ];
    return [{ command, text: parts.join(" ") }];
  });
  const groups = Map.groupBy(differing, ({ text }) => text);
  return [
    line,
    ...[...groups].map(([text, own]) =>
      `  - ${own.map(({ command }) => command).join(", ")}: ${text}`
    ),
  ].join("\n");
}

function usualText(text: string | TextOfCommand): string {
  return typeof text === "object" ? text.else : text;
}

function ownText(
  text: string | TextOfCommand | undefined,
  command: CommandName,
): string | undefined {
  return typeof text === "object" ? text[command] : undefined;
}

/** Returns the text of .env.example. */
export function envExample(): string {
  const entries = [
    ...OPTIONS.flatMap((spec) =>
      spec.env === undefined ? [] : [[spec.env, fallbackOf(spec), textForAll(spec.help)] as const]
    ),
    ...DATABASE_VARIABLES,
  ];
  return "# Copy this file to .env and uncomment the variables that you want to set.\n" +
    entries.map(([name, fallback, help]) =>
      `\n# ${help}${fallback && ` (default: ${fallback})`}\n# ${name}=${
        /^[\w.]+$/.test(fallback) ? fallback : ""
      }\n`
    ).join("");
}
