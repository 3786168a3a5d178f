/** Suggests options for those that people know from other tools. */

import { Command, CommanderError, Option } from "commander";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { VERSION } from "../engine/prepare.ts";
import { closest } from "../experiment/select.ts";
import {
  EXIT_CODES,
  FAILED,
  FINE,
  INTERRUPTED,
  Interrupted,
  messageOf,
  UsageError,
  WRONG_USAGE,
} from "../model/errors.ts";
import { hideUrls, printable } from "../model/text.ts";
import { FORMATS } from "../view/reporters.ts";
import { hanging } from "../view/table.ts";
import { COMMANDS, type CommandSpec, type Example } from "./command_list.ts";
import type { Io } from "./io.ts";
import { applyQuick, applyVariables, firstOptions, optionsOf } from "./options/commander.ts";
import { COMMAND_NAMES, type CommandName } from "./options/option_spec.ts";
import { OPTIONS } from "./options/option_table.ts";

/** An option of another tool, and Stampede's replacement. */
interface Foreign {
  readonly flags: readonly string[];
  /** The option of Stampede with the same effect, with an example value; null if none is needed. */
  readonly meant: string | null;
  readonly why: string;
}

/** Options of wrk, ab, hey, oha, k6, h2load, bombardier and autocannon that Stampede does not have. */
const FOREIGN: readonly Foreign[] = [
  {
    flags: ["-n", "-a", "--requests", "--amount", "--iterations"],
    meant: "-z 10s",
    why: "Stampede measures for a time, not a number of requests",
  },
  {
    flags: ["-t", "-w", "--threads"],
    meant: "--shards 2",
    why: "it sets the load generator's processes; --workers sets the server's",
  },
  {
    flags: ["-q", "-R", "--qps", "--overallRate", "--rps"],
    meant: "--rate 500",
    why: "requests per second",
  },
  {
    flags: ["-r"],
    meant: "--rate 500",
    why: "requests per second; --rounds repeats the measurement",
  },
  { flags: ["-m", "--method"], meant: "-X POST", why: "the HTTP method" },
  {
    flags: ["-l", "--latency", "--latencies"],
    meant: null,
    why: "latencies are always printed, and --wide prints more of them",
  },
  { flags: ["-u", "--vus"], meant: "-c 50", why: "connections replace virtual users" },
  { flags: ["-b", "--body"], meant: "-d '{}'", why: "the request body" },
  { flags: ["-D", "--time"], meant: "-z 10s", why: "the length of each window" },
  { flags: ["-k", "--keepalive"], meant: null, why: "connections are always kept alive" },
  {
    flags: ["-T", "--content-type"],
    meant: "-H 'content-type: text/plain'",
    why: "a request header",
  },
  { flags: ["-o", "--output"], meant: "--out FILE", why: "the report's file" },
  { flags: ["-j"], meant: "--json", why: "the report as JSON" },
];

/**
 * Returns a suggestion for an option that a command does not have; null if none is known.
 *
 * @param option the option as typed: `-n`, `-t4`, `--latency`
 */
export function meantBy(option: string, command: CommandName): string | null {
  const flag = option.startsWith("--") ? option : option.slice(0, 2);
  const owners = OPTIONS.filter(({ flags }) => {
    const { short, long } = new Option(flags);
    return [short, long].includes(flag);
  }).flatMap(({ commands }) => commands);
  const format = FORMATS.find((format) => flag === `--${format}`);
  if (command === "report" && format !== undefined) {
    return `report has no ${flag}: did you mean --format ${format} --out FILE?`;
  }
  if (owners.length > 0) {
    return `${command} has no ${flag}: it is an option of ${[...new Set(owners)].join(", ")}`;
  }
  const foreign = FOREIGN.find(({ flags }) => flags.includes(flag));
  if (foreign === undefined) return null;
  const { meant, why } = foreign;
  return meant === null
    ? `There is no option ${flag}, and none is needed: ${why}`
    : `There is no option ${flag}: did you mean ${meant}? (${why})`;
}

/** Returns the exit codes for help, in lines of at most 80 columns. */
export function exitCodesHelp(): string {
  const lines = EXIT_CODES.flatMap(([code, says]) =>
    hanging(`  ${String(code).padEnd(3)}  `, says, 80)
  );
  return ["Exit codes:", ...lines].join("\n");
}

/** The examples of `bench --help`: the tasks that people begin with. */
const EXAMPLES: readonly Example[] = [
  ["http://127.0.0.1:3000/", "a running server"],
  ["text json --servers deno,bun", "two servers, two scenarios"],
  ["text --rate 500", "response times at 500/s"],
  ["versus --base main", "is it slower than main?"],
  ["text --quick", "smoke run, a few seconds"],
];

/** Returns the lines that follow the commands in `bench --help`. */
function helpAfterCommands({ program }: Io): string {
  const options = firstOptions();
  const width = Math.max(...options.map(([flags]) => flags.length));
  return [
    "Most used options:",
    ...options.map(([flags, text]) => `  ${flags.padEnd(width)}  ${text}`),
    "",
    `All options of a command: ${[...program, "run", "--help"].join(" ")}`,
    "Your own database: set DATABASE_URL, or PGHOST and so on (.env.example).",
    "",
    exitCodesHelp(),
  ].join("\n");
}

/** Returns the lines of examples, with the program's name as the person typed it. */
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

/** Width of help in columns: the usual width of a terminal, so that no line wraps. */
const HELP_COLUMNS = 80;

/** Runs a command with its arguments and options, and returns the exit code. */
type Act = (
  command: CommandSpec,
  words: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Promise<number>;

/**
 * Checks that the first argument of the default command does not look like a mistyped command.
 *
 * @throws {UsageError} with the command that was probably meant
 */
function assertNoCommand([word = ""]: readonly string[]): void {
  const ids = SCENARIOS.map(({ id }) => id);
  const meant = ids.includes(word) ? null : closest(word, [...COMMAND_NAMES, ...ids]);
  if (COMMAND_NAMES.some((command) => command === meant)) {
    throw new UsageError(`There is no command "${word}": did you mean ${meant}?`);
  }
}

/**
 * Parses the arguments and runs their command.
 *
 * @returns the exit code
 * @throws {UsageError} if the arguments are invalid
 */
export async function execute(
  args: readonly string[],
  io: Io,
  act: Act = ({ action }, words, options) => action(words, options, io),
): Promise<number> {
  let exitCode = 0;
  const output = { writeOut: (text: string) => io.out(text.trimEnd()), outputError: () => {} };
  const described = (text: string, examples: readonly Example[]): string =>
    [text, ...describeExamples(examples, io)].join("\n");
  const program = new Command("bench")
    .description(
      described(
        "Stampede benchmarks HTTP servers and shows how far to trust each figure.",
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
      const options = command.opts();
      if (name === "run" && options.scenario === undefined) assertNoCommand(words);
      exitCode = await act(spec, words, options);
    });
    command.exitOverride().configureOutput(output).helpCommand(false);
  }
  program.addHelpCommand(
    new Command("help").argument("[command]").summary("show the options of a command")
      .helpGroup("Prepare:"),
  );
  program.addHelpText("after", `\n${helpAfterCommands(io)}`);
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

/**
 * Returns the message of commander's error, with the option that was probably meant, and with the
 * command for help.
 */
function wordsOf({ code, message }: CommanderError, args: readonly string[]): string {
  const named = COMMAND_NAMES.find((name) => name === args[0]);
  const text = message.replace(/^error: /, "");
  const [, unknown] = code === "commander.unknownOption" ? /'(.*?)'/.exec(text) ?? [] : [];
  const meant = unknown === undefined ? null : meantBy(unknown, named ?? "run");
  const problem = (meant ?? text).replace(/[^.?!)]$/, "$&.");
  return `${problem} All options: bench ${named ?? "run"} --help`;
}

/**
 * Matches the beginning of a command line in a message: `bench run`. Does not match one that begins
 * with `deno task`.
 */
const COMMAND = new RegExp(`(?<!task )\\bbench (?=--help|(${COMMAND_NAMES.join("|")})\\b)`, "g");

/** Replaces `bench` in the command lines of a message by the program's name as the person typed it. */
function asTyped(message: string, { program }: Io): string {
  return message.replaceAll(COMMAND, `${program.join(" ")} `);
}

/**
 * Runs the command of the arguments, and prints its error, if any.
 *
 * @returns the exit code
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  try {
    return await execute(args, io);
  } catch (error) {
    io.err(printable(hideUrls(asTyped(messageOf(error), io))));
    if (args.includes("--debug") && error instanceof Error) io.err(printable(error.stack ?? ""));
    if (error instanceof UsageError) return WRONG_USAGE;
    return error instanceof Interrupted ? INTERRUPTED : FAILED;
  }
}
