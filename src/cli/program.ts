import { Command, CommanderError } from "commander";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { closest } from "../experiment/select.ts";
import { Interrupted, messageOf, UsageError } from "../model/errors.ts";
import { FAILED, FINE, INTERRUPTED, WRONG_USAGE } from "../model/exit_codes.ts";
import { hideUrls } from "../model/secrets.ts";
import { printable } from "../model/text.ts";
import { VERSION } from "../engine/provenance.ts";
import { COMMANDS, type CommandSpec, type Example } from "./command_list.ts";
import { COMMAND_NAMES } from "./options/option_spec.ts";
import { applyQuick, applyVariables, optionsOf } from "./options/commander.ts";
import { meantBy } from "./options/foreign_options.ts";
import { exitCodesHelp } from "./exit_codes.ts";
import type { Io } from "./io.ts";

/** What people do first. */
const EXAMPLES: readonly Example[] = [
  ["http://127.0.0.1:3000/", "a server that runs already"],
  ["text json --servers deno,bun", "two servers, two scenarios"],
  ["text --rate 500", "response times at 500/s"],
  ["versus --base main", "is it slower than main?"],
  ["text --quick", "a look in a few seconds"],
];

const AFTERWARDS = `Options: bench run --help, bench versus --help, and so on.
A database of your own: set DATABASE_URL, or PGHOST and so on (.env.example).`;

/** Lines of examples, as a person types them. */
function describeExamples(examples: readonly Example[], { program }: Io): string[] {
  if (examples.length === 0) return [];
  const commands = examples.map(([command]) => [...program, command].join(" "));
  const width = Math.max(...commands.map(({ length }) => length));
  const isTooLong = examples.some(([, does]) => width + does.length + 5 > HELP_COLUMNS);
  return [
    "",
    "Examples:",
    ...examples.flatMap(([, does], i) => {
      const command = commands[i] ?? "";
      return isTooLong
        ? [`  ${command}`, `      ${does}`]
        : [`  ${command.padEnd(width)}   ${does}`];
    }),
  ];
}

/** The width of help that no terminal has to wrap. */
const HELP_COLUMNS = 80;

/** What is done with a command, its options and its words: by default, what it is for. */
export type Act = (
  command: CommandSpec,
  options: Readonly<Record<string, unknown>>,
  words: readonly string[],
) => Promise<number>;

/** Does what a command is for; a word that is nearly the name of another command was meant as that. */
function perform(io: Io): Act {
  return ({ name, action }, options, words) => {
    const [word = ""] = words;
    const isScenario = SCENARIOS.some(({ id }) => id === word) || options.scenario !== undefined;
    const known = [...COMMAND_NAMES, ...SCENARIOS.map(({ id }) => id)];
    const meant = name === "run" && !isScenario ? closest(word, known) : null;
    if (COMMAND_NAMES.some((command) => command === meant)) {
      throw new UsageError(`There is no command "${word}": did you mean ${meant}?`);
    }
    return action(options, [...words], io);
  };
}

/**
 * Runs what the arguments ask for.
 *
 * @returns the exit code.
 * @throws {UsageError} if the arguments make no sense.
 */
export async function execute(
  args: readonly string[],
  io: Io,
  act: Act = perform(io),
): Promise<number> {
  let exitCode = 0;
  const output = { writeOut: (text: string) => io.out(text.trimEnd()), outputError: () => {} };
  const described = (text: string, examples: readonly Example[]): string =>
    [text, ...describeExamples(examples, io)].join("\n");
  const program = new Command("bench")
    .description(
      described(
        "Stampede measures HTTP servers and says how much the figures are worth.",
        EXAMPLES,
      ),
    )
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .version(VERSION);
  for (const spec of COMMANDS) {
    const { name, summary, takes, group, examples = [] } = spec;
    const command = program.command(name, { isDefault: name === "run" }).summary(summary)
      .description(described(summary, examples)).helpGroup(`${group}:`);
    if (takes) command.argument(...takes);
    for (const option of optionsOf(name)) command.addOption(option);
    command.action(async (...given: unknown[]) => {
      applyVariables(command, io.env);
      if (command.opts().quick) applyQuick(command);
      const words = takes ? [given[0] as string | string[]].flat() : [];
      exitCode = await act(spec, command.opts(), words);
    });
    command.exitOverride().configureOutput(output).helpCommand(false);
  }
  program.addHelpCommand(
    new Command("help").argument("[command]").summary("show the options of a command")
      .helpGroup("Prepare:"),
  );
  program.addHelpText("after", `\n${AFTERWARDS}\n${exitCodesHelp()}`);
  program.exitOverride().configureOutput(output);
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return FINE;
    throw new UsageError(wordsOf(error, args));
  }
}

/** Words an error of commander, with the option that was probably meant. */
function wordsOf({ code, message }: CommanderError, args: readonly string[]): string {
  const named = COMMAND_NAMES.find((name) => name === args[0]);
  const text = message.replace(/^error: /, "");
  const [, unknown] = code === "commander.unknownOption" ? /'(.*?)'/.exec(text) ?? [] : [];
  const meant = unknown === undefined ? null : meantBy(unknown, named ?? "run");
  return `${meant ?? text} (see bench ${named === undefined ? "" : `${named} `}--help)`;
}

/**
 * Runs what the arguments ask for, and prints what goes wrong.
 *
 * @returns the exit code.
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  try {
    return await execute(args, io);
  } catch (error) {
    io.err(printable(hideUrls(messageOf(error))));
    if (args.includes("--debug") && error instanceof Error) io.err(printable(error.stack ?? ""));
    if (error instanceof UsageError) return WRONG_USAGE;
    return error instanceof Interrupted ? INTERRUPTED : FAILED;
  }
}
