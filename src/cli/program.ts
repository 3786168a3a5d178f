import { Command, CommanderError } from "commander";
import { Interrupted, messageOf, UsageError } from "../model/errors.ts";
import { printable } from "../model/text.ts";
import { VERSION } from "../engine/provenance.ts";
import { cleanDatabase } from "./commands/clean_database.ts";
import { compare } from "./commands/compare.ts";
import { completions } from "./commands/completions.ts";
import { faults } from "./commands/faults.ts";
import { history } from "./commands/history.ts";
import { list } from "./commands/list.ts";
import { doctor } from "./commands/doctor.ts";
import { generators } from "./commands/generators.ts";
import { noise } from "./commands/noise.ts";
import { applyQuick, applyVariables, optionsOf } from "./options/commander.ts";
import type { CommandName } from "./options/spec.ts";
import { report } from "./commands/report.ts";
import { run } from "./commands/run.ts";
import { serve } from "./commands/serve.ts";
import { verifyServers } from "./commands/verify.ts";
import { versus } from "./commands/versus.ts";
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
Exit codes: 0 fine, 1 something failed or is slower than --fail-on allows, 2 wrong usage or an
unreadable report, 3 nothing could be compared, or --strict and undecided, 130 interrupted (serve:
0).`;

interface CommandSpec {
  readonly name: CommandName;
  readonly summary: string;
  /** What its arguments are called, and where they are listed; without it there are none. */
  readonly takes?: readonly [name: string, help: string];
  // deno-lint-ignore no-explicit-any -- commander's options are checked by the table that made them
  readonly action: (options: any, args: string[], io: Io) => Promise<number>;
}

const SCENARIO = ["[scenario...]", "see `bench list`"] as const;

const COMMANDS: readonly CommandSpec[] = [
  {
    name: "run",
    summary: "measure the scenarios, all of them by default (this is the default command)",
    takes: ["[scenario or URL...]", "see `bench list`; a URL needs no scenario"],
    action: (options, scenarios, io) => run(scenarios, options, io),
  },
  {
    name: "compare",
    summary: "compare two reports: what became faster, slower, or cannot be told?",
    takes: ["[report...]", "two files, the base first"],
    action: (options, paths, io) => compare(paths, options, io),
  },
  {
    name: "versus",
    summary: "measure two revisions of a server, or two servers, in the same rounds, and compare",
    takes: SCENARIO,
    action: (options, scenarios, io) => versus(scenarios, options, io),
  },
  {
    name: "report",
    summary: "draw reports as a table, Markdown, a page, JSON or CSV, without measuring",
    takes: ["[report...]", "files; without one, the newest in results/"],
    action: (options, paths, io) => report(paths, options, io),
  },
  {
    name: "history",
    summary: "list what the runs in results/ reached",
    takes: ["[scenario...]", "those to show; all by default"],
    action: (options, scenarios, io) => history(scenarios, options, io),
  },
  {
    name: "verify",
    summary: "check every answer, without any load",
    takes: SCENARIO,
    action: (options, scenarios, io) => verifyServers(scenarios, options, io),
  },
  {
    name: "faults",
    summary: "do harm to servers, and say what their clients get and when all is well again",
    takes: ["[server...]", "see `bench list servers`; deno if none is named"],
    action: (options, servers, io) => faults(servers, options, io),
  },
  {
    name: "doctor",
    summary: "say what in this machine would spoil a measurement, and what to do about it",
    action: (options, _args, io) => doctor(options, io),
  },
  {
    name: "noise",
    summary: "measure a server against itself: which differences mean nothing here",
    takes: SCENARIO,
    action: (options, scenarios, io) => noise(scenarios, options, io),
  },
  {
    name: "generators",
    summary: "compare the load generators that are here at one server: which tool to believe?",
    takes: ["[scenario...]", "see `bench list`; text if none is named"],
    action: (options, scenarios, io) => generators(scenarios, options, io),
  },
  {
    name: "list",
    summary: "list scenarios, servers and load generators, and what is missing here",
    takes: ["[what...]", "scenarios, servers or generators (these with their ceilings)"],
    action: (_options, what, io) => list(what, io),
  },
  {
    name: "serve",
    summary: "serve the routes until Ctrl-C",
    action: (options, _args, io) => serve(options, io),
  },
  {
    name: "completions",
    summary: "print a script that completes commands and names in bash, zsh or fish",
    takes: ["<shell>", "bash, zsh or fish"],
    action: (_options, shells, io) => completions(shells, COMMANDS, io),
  },
  {
    name: "clean-database",
    summary: "remove Stampede's schema from your database",
    action: (options, _args, io) => cleanDatabase(options, io),
  },
];

/**
 * Runs what the arguments ask for.
 *
 * @returns the exit code.
 * @throws {UsageError} if the arguments make no sense.
 */
export async function execute(args: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  const output = { writeOut: (text: string) => io.out(text.trimEnd()), outputError: () => {} };
  const program = new Command("bench")
    .description("Stampede measures HTTP servers and says how much the figures are worth.")
    .version(VERSION);
  for (const { name, summary, takes, action } of COMMANDS) {
    const command = program.command(name, { isDefault: name === "run" }).summary(summary)
      .description(summary);
    if (takes) command.argument(...takes);
    for (const option of optionsOf(name)) command.addOption(option);
    command.action(async (...given: unknown[]) => {
      applyVariables(command, io.env);
      if (command.opts().quick) applyQuick(command);
      const words = takes ? [given[0] as string | string[]].flat() : [];
      exitCode = await action(command.opts(), words, io);
    });
    command.exitOverride().configureOutput(output).helpCommand(false);
  }
  const runHelp = program.commands[0]?.helpInformation() ?? "";
  const runOptions = runHelp.slice(runHelp.indexOf("Options:")).replace(
    "Options:",
    "Options of run:",
  );
  program.addHelpText("after", `\n${runOptions}${EXAMPLES}`);
  program.exitOverride().configureOutput(output);
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    throw new UsageError(`${error.message.replace(/^error: /, "")} (see bench --help)`);
  }
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
    io.err(printable(messageOf(error)));
    if (args.includes("--debug") && error instanceof Error) io.err(printable(error.stack ?? ""));
    if (error instanceof UsageError) return 2;
    return error instanceof Interrupted ? 130 : 1;
  }
}
