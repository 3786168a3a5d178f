import { type Command, Option } from "commander";
import type { CommandName, OptionSpec } from "./option_spec.ts";
import { OPTIONS } from "./options_table.ts";
import { DATABASE_VARIABLES } from "./variables.ts";

/** The options of one command, for commander. */
export function optionsOf(command: CommandName): Option[] {
  return OPTIONS.filter(({ commands }) => commands.includes(command)).map(toOption);
}

function toOption(
  { flags, help, env, fallback, fallbackText, choices, parse }: OptionSpec,
): Option {
  const text = fallbackText === undefined ? help : `${help} (default: ${fallbackText})`;
  const option = new Option(flags, text);
  if (fallback !== undefined && fallback !== false) option.default(fallback);
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

/** The options as a Markdown table, for the README. */
export function optionsTable(): string {
  const rows = OPTIONS.map(({ flags, help, fallback, fallbackText, env, commands }) => {
    const value = fallbackText ?? (fallback === false ? "" : String(fallback ?? ""));
    const cells = [`\`${flags}\``, help, value, env && `\`${env}\``, commands.join(", ")];
    return `| ${cells.map((cell) => cell ?? "").join(" | ")} |`;
  });
  return ["| option | meaning | default | variable | commands |", "|---|---|---|---|---|", ...rows]
    .join("\n");
}

/** The text of .env.example. */
export function envExample(): string {
  const entries = [
    ...OPTIONS.flatMap(({ env, fallback, fallbackText, help }) =>
      env === undefined ? [] : [[env, String(fallbackText ?? fallback), help] as const]
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
