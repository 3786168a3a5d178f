/** Writes the manual page stampede(1) from the tables of commands, options and exit codes. */
import { COMMANDS } from "../src/cli/command_table.ts";
import { COMMAND_NAMES, type OptionSpec } from "../src/cli/options/option_spec.ts";
import { OPTIONS, VARIABLES } from "../src/cli/options/option_table.ts";
import { EXIT_CODES } from "../src/model/errors.ts";

/**
 * Returns the manual page in roff, with macros of man(7).
 * https://man7.org/linux/man-pages/man7/man.7.html
 *
 * @param date the day of the version, such as 2026-11-25
 */
export function manPage({ version, date }: { version: string; date: string }): string {
  const lines = [
    `.TH STAMPEDE 1 "${date}" "Stampede ${version}" "User Commands"`,
    ".SH NAME",
    "stampede \\- benchmark HTTP servers",
    ".SH SYNOPSIS",
    "\\fBstampede\\fR [\\fIcommand\\fR] [\\fIarguments\\fR] [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    "Stampede measures HTTP servers on this machine: requests per second, latency and CPU time.",
    "It says how far to trust each figure: by confidence intervals and the bottleneck.",
    "By default it measures its own server, with a PostgreSQL that it brings.",
    "The default command is \\fBrun\\fR.",
    ".SH COMMANDS",
    ...COMMAND_NAMES.flatMap((name) => {
      const { summary, takes, examples = [] } = COMMANDS[name];
      const [words = "", meaning = ""] = takes ?? [];
      return [
        ...item(`\\fB${roff(name)}\\fR ${italic(words)}`, summary),
        ...meaning === "" ? [] : [".br", `${italic(words)}: ${roff(meaning)}`],
        ...examples.flatMap(([line, does]) => [".br", roff(`${does}: stampede ${line}`)]),
      ];
    }),
    ".SH OPTIONS",
    ...[...Map.groupBy(OPTIONS, ({ group }) => group)].flatMap(([group, options]) => [
      `.SS ${roff(group)}`,
      ...options.flatMap((option) => item(`\\fB${roff(option.flags)}\\fR`, helpOf(option))),
    ]),
    ".SH EXIT STATUS",
    ...EXIT_CODES.flatMap(([code, says]) => item(`\\fB${code}\\fR`, says)),
    ".SH ENVIRONMENT",
    ...[
      ...OPTIONS.flatMap(({ env, flags }) => env ? [[env, `the same as ${flags}`] as const] : []),
      ...VARIABLES.map(([name, , says]) => [name, says] as const),
    ].flatMap(([name, says]) => item(`\\fB${roff(name)}\\fR`, says)),
    ".SH FILES",
    ...item("\\fIresults/\\fR", "reports; the folder is in the one where stampede was started"),
    ...item(
      "\\fI~/.cache/stampede/\\fR",
      "builds and copies; stampede clean lists and removes them",
    ),
  ];
  return lines.join("\n") + "\n";
}

/** Returns a paragraph with a tag. */
function item(tag: string, text: string): string[] {
  return [".TP", tag.trim(), roff(text)];
}

function helpOf({ help, commands }: OptionSpec): string {
  const texts = typeof help === "string" ? { else: help } : help;
  const notes = Object.entries(texts).map(([name, text]) =>
    name === "else" ? text : `${name}: ${text}`
  );
  const where = commands.length === COMMAND_NAMES.length ? "every command" : commands.join(", ");
  return `${notes.join("; ")} (${where})`;
}

function italic(text: string): string {
  return text === "" ? "" : `\\fI${roff(text)}\\fR`;
}

/** Escapes what roff would read as a macro, an escape sequence, or a typographic hyphen. */
function roff(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll(/^[.']/gm, "\\&$&");
}
