import { Command, CommanderError } from "commander";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { closest } from "../experiment/select.ts";
import { Interrupted, messageOf, UsageError } from "../model/errors.ts";
import { FAILED, FINE, INTERRUPTED, WRONG_USAGE } from "../model/exit_codes.ts";
import { hideUrls } from "../model/secrets.ts";
import { printable } from "../model/text.ts";
import { VERSION } from "../engine/provenance.ts";
import { COMMANDS, type CommandSpec } from "./command_list.ts";
import { COMMAND_NAMES } from "./options/spec.ts";
import { OPTION_GROUPS } from "./options/table.ts";
import { applyQuick, applyVariables, optionsOf } from "./options/commander.ts";
import { meantBy } from "./options/foreign.ts";
import { exitCodesHelp } from "./exit_codes.ts";
import type { Io } from "./io.ts";

const EXAMPLES = `
Examples:
  deno task bench                      every scenario, six rounds or more (about 4 min)
  deno task bench --quick              a look in half a minute
  deno task bench text json -c 50      two scenarios, 50 connections
  deno task bench http://127.0.0.1/x   a server that runs already
  deno task bench --dry-run            what would be done, in order
  deno task bench --explain all        the evidence behind every figure
  deno task bench doctor               what in this machine would spoil a measurement?
  deno task bench verify               are the answers right?
  deno task bench faults deno express  what do clients get when something goes wrong?
  deno task bench --html page.html     the result as a page with charts
  deno task bench versus --base main   is what changed since then slower?

A database of your own: set DATABASE_URL, or PGHOST and the others (.env.example).
${exitCodesHelp()}`;

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
  const program = new Command("bench")
    .description("Stampede measures HTTP servers and says how much the figures are worth.")
    .version(VERSION);
  for (const spec of COMMANDS) {
    const { name, summary, takes } = spec;
    const command = program.command(name, { isDefault: name === "run" }).summary(summary)
      .description(summary);
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
  const runHelp = program.commands[0]?.helpInformation() ?? "";
  const [[firstGroup]] = OPTION_GROUPS;
  const runOptions = runHelp.slice(runHelp.indexOf(`${firstGroup}:`));
  program.addHelpText("after", `\nOptions of run\n\n${runOptions}${EXAMPLES}`);
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

/** What commander finds wrong, with what was probably meant. */
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
