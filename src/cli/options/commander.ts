import { type Command, Option } from "commander";
import type { CommandName, OptionSpec } from "./spec.ts";
import { OPTIONS } from "./table.ts";
import { DATABASE_VARIABLES } from "./variables.ts";

/** The options of one command, for commander. */
export function optionsOf(command: CommandName): Option[] {
  return OPTIONS.filter(({ commands }) => commands.includes(command))
    .map((spec) => toOption(spec, command));
}

function toOption(
  { flags, help, env, fallback, fallbackText, choices, parse }: OptionSpec,
  command: CommandName,
): Option {
  const worded = typeof fallbackText === "object"
    ? fallbackText[command] ?? fallbackText.else
    : fallbackText;
  const isValue = fallback !== undefined && fallback !== false;
  const text = worded === undefined || isValue ? help : `${help} (default: ${worded})`;
  const option = new Option(flags, text);
  if (isValue) option.default(fallback, worded);
  if (env !== undefined) option.env(env);
  if (choices !== undefined) option.choices([...choices]);
  if (parse !== undefined) option.argParser(parse);
  return option;
}

/** Forgets variables that are set to nothing: that is how .env.example leaves them. */
export function forgetEmptyVariables(): void {
  for (const { env } of OPTIONS) if (env && Deno.env.get(env) === "") Deno.env.delete(env);
}

/** Sets what --quick changes and the person did not set. */
export function applyQuick(command: Command): void {
  for (const { flags, quick } of OPTIONS) {
    const name = new Option(flags).attributeName();
    const isGiven = !["default", undefined].includes(command.getOptionValueSource(name));
    if (quick !== undefined && !isGiven) {
      command.setOptionValue(name, quick);
    }
  }
}

/** The fallback in words, for all commands at once; empty if there is none. */
function fallbackOf({ fallback, fallbackText }: OptionSpec): string {
  if (typeof fallbackText !== "object") {
    return fallbackText ?? (fallback === false ? "" : String(fallback ?? ""));
  }
  const { else: usual, ...others } = fallbackText;
  return [usual, ...Object.entries(others).map(([command, text]) => `${command}: ${text}`)]
    .join("; ");
}

/** The options as a Markdown table, for the README. */
export function optionsTable(): string {
  const rows = OPTIONS.map((spec) => {
    const { flags, help, env, commands } = spec;
    const cells = [
      `\`${flags}\``,
      help,
      fallbackOf(spec),
      env && `\`${env}\``,
      commands.join(", "),
    ];
    return `| ${cells.map((cell) => cell ?? "").join(" | ")} |`;
  });
  return ["| option | meaning | default | variable | commands |", "|---|---|---|---|---|", ...rows]
    .join("\n");
}

/** The text of .env.example. */
export function envExample(): string {
  const entries = [
    ...OPTIONS.flatMap((spec) =>
      spec.env === undefined ? [] : [[spec.env, fallbackOf(spec), spec.help] as const]
    ),
    ...DATABASE_VARIABLES,
  ];
  return "# Copy this file to .env and take the # away from what you want to set.\n" +
    entries.map(([name, fallback, help]) =>
      `\n# ${help}${fallback && ` (default: ${fallback})`}\n# ${name}=${
        /^[\w.]+$/.test(fallback) ? fallback : ""
      }\n`
    ).join("");
}
