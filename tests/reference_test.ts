/** The generated parts of docs/reference.md and .env.example. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { COMMANDS } from "../src/cli/command_table.ts";
import { exitCodesHelp } from "../src/cli/program.ts";
import {
  COMMAND_NAMES,
  type CommandName,
  type OptionSpec,
} from "../src/cli/options/option_spec.ts";
import { OPTIONS, VARIABLES } from "../src/cli/options/option_table.ts";
import { EXIT_CODES } from "../src/model/errors.ts";
import { WRITTEN_FILES } from "./written_files.ts";

const REFERENCE = new URL("../docs/reference.md", import.meta.url);
const EXAMPLE = new URL("../.env.example", import.meta.url);

/** The tables of the reference, by the comments before them. */
const TABLES = {
  commands: commandsTable(),
  options: optionsTable(),
  "exit codes": exitCodesTable(),
  files: filesTable(),
};

for (const [name, table] of Object.entries(TABLES)) {
  Deno.test(`the ${name} of the reference are those that there are (UPDATE=1 writes them)`, async () => {
    const section = new RegExp(`(?<=<!-- ${name} -->\\n)[^]*?(?=\\n<!-- deno-fmt-ignore-end -->)`);
    if (Deno.env.has("UPDATE")) {
      const text = await Deno.readTextFile(REFERENCE);
      await Deno.writeTextFile(REFERENCE, text.replace(section, () => table));
    }
    strictEqual(section.exec(await Deno.readTextFile(REFERENCE))?.[0], table);
  });
}

Deno.test(".env.example is what the table of options says (UPDATE=1 writes it)", async () => {
  if (Deno.env.has("UPDATE")) await Deno.writeTextFile(EXAMPLE, envExample());
  strictEqual(await Deno.readTextFile(EXAMPLE), envExample());
});

Deno.test("an exit code is a name wherever a command ends with one", async () => {
  strictEqual(new Set(EXIT_CODES.map(([code]) => code)).size, EXIT_CODES.length);
  const bare: string[] = [];
  for (const folder of ["cli/", "cli/commands/", "ci/"]) {
    const source = new URL(`../src/${folder}`, import.meta.url);
    for await (const { name } of Deno.readDir(source)) {
      if (!name.endsWith(".ts") || name.endsWith("_test.ts")) continue;
      const text = await Deno.readTextFile(new URL(name, source));
      if (/return (\d+|.* \? \d+ : \d+);|Deno\.exit\(\d/.test(text)) bare.push(folder + name);
    }
  }
  deepStrictEqual(bare, []);
});

Deno.test("help has a line for each exit code, no wider than the rest of it", () => {
  for (const line of exitCodesHelp().split("\n")) ok(line.length <= 100, line);
});

/** Returns the commands as a Markdown table for the reference. */
function commandsTable(): string {
  const rows = COMMAND_NAMES.map((name) => `| \`${name}\` | ${COMMANDS[name].summary} |`);
  return ["| command | does |", "|---|---|", ...rows].join("\n");
}

/** Returns the exit codes as a Markdown table. */
function exitCodesTable(): string {
  const rows = EXIT_CODES.map(([code, says]) =>
    `| ${code} | ${says.replaceAll(/--[a-z-]+|\bserve\b/g, "`$&`")} |`
  );
  return ["| code | says |", "|---:|---|", ...rows].join("\n");
}

/** Returns the files as a Markdown table for the reference. */
function filesTable(): string {
  const rows = WRITTEN_FILES.map(({ path, by, is }) =>
    `| \`${path}\` | ${by === COMMAND_NAMES ? "every command" : by.join(", ")} | ${is} |`
  );
  return ["| file | written by | content |", "|---|---|---|", ...rows].join("\n");
}

/** Joins the texts of an option for different commands: `10; doctor: 100`. */
function textForAll(text: OptionSpec["help"]): string {
  if (typeof text !== "object") return text;
  const { else: usual, ...others } = text;
  const groups = Map.groupBy(Object.entries(others), ([, own]) => own);
  const named = [...groups].map(([own, commands]) =>
    `${commands.map(([command]) => command).join(", ")}: ${own}`
  );
  return [usual, ...named].join("; ");
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
function optionsTable(): string {
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

function usualText(text: OptionSpec["help"]): string {
  return typeof text === "object" ? text.else : text;
}

function ownText(
  text: OptionSpec["help"] | undefined,
  command: CommandName,
): string | undefined {
  return typeof text === "object" ? text[command] : undefined;
}

/** Returns the text of .env.example. */
function envExample(): string {
  const entries = [
    ...OPTIONS.flatMap((spec) =>
      spec.env === undefined ? [] : [[spec.env, fallbackOf(spec), textForAll(spec.help)] as const]
    ),
    ...VARIABLES,
  ];
  return "# Copy this file to .env and uncomment the variables that you want to set.\n" +
    entries.map(([name, fallback, help]) =>
      `\n# ${help}${fallback && ` (default: ${fallback})`}\n# ${name}=${
        /^[\w.]+$/.test(fallback) ? fallback : ""
      }\n`
    ).join("");
}
