/** The command line: parses the arguments, runs their command, and prints help and errors. */
import { Command, CommanderError } from "commander";
import denoConfig from "../../deno.json" with { type: "json" };
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
import type { CommandSpec, Options } from "./command.ts";
import { COMMANDS } from "./command_table.ts";
import type { Io } from "./io.ts";
import { COMMAND_NAMES, type CommandName } from "./options/option_spec.ts";
import { applyDefaults, OPTIONS, optionsOf } from "./options/option_table.ts";

/** Headings in `stampede --help`, with their commands. All other commands prepare. */
const HEADINGS: Readonly<Record<string, readonly CommandName[]>> = {
  "Measure:": [
    "run",
    "capacity",
    "versus",
    "releases",
    "bisect",
    "verify",
    "work",
    "faults",
    "noise",
    "generators",
  ],
  "Read and compare:": ["compare", "report", "history", "site"],
  "Several machines:": ["export", "import"],
};
const PREPARE = "Prepare:";

/** Options of wrk, ab, hey, oha, k6, h2load, bombardier and autocannon that Stampede lacks: what to do. */
const FOREIGN: Readonly<Record<string, string>> = {
  "-n -a --requests --amount --iterations":
    ": did you mean -z 10s? (Stampede measures for a time, not a number of requests)",
  "-t -w --threads":
    ": did you mean --shards 2? (it sets the load generator's processes; --workers sets the server's)",
  "-q -R --qps --overallRate --rps": ": did you mean --rate 500? (requests per second)",
  "-r": ": did you mean --rate 500? (requests per second; --rounds repeats the measurement)",
  "-m --method": ": did you mean -X POST? (the HTTP method)",
  "-l --latency --latencies":
    ", and none is needed: latencies are always printed, and --wide prints more of them",
  "-u --vus": ": did you mean -c 50? (connections replace virtual users)",
  "-b --body": ": did you mean -d '{}'? (the request body)",
  "-D --time": ": did you mean -z 10s? (the length of each window)",
  "-k --keepalive": ", and none is needed: connections are always kept alive",
  "-T --content-type": ": did you mean -H 'content-type: text/plain'? (a request header)",
  "-o --output": ": did you mean --out FILE? (the report's file)",
  "-j": ": did you mean --json? (the report as JSON)",
};

/** Returns a suggestion for an unknown option as typed, such as `-n` or `-t4`; null without one. */
function meantBy(option: string, command: CommandName): string | null {
  const flag = option.startsWith("--") ? option : option.slice(0, 2);
  const format = FORMATS.find((format) => flag === `--${format}`);
  if (command === "report" && format !== undefined) {
    return `report has no ${flag}: did you mean --format ${format} --out FILE?`;
  }
  const owners = OPTIONS.filter(({ flags }) => flags.split(/[ ,]+/).includes(flag))
    .flatMap(({ commands }) => commands);
  if (owners.length > 0) {
    return `${command} has no ${flag}: it is an option of ${[...new Set(owners)].join(", ")}`;
  }
  const [, advice] = Object.entries(FOREIGN)
    .find(([flags]) => flags.split(" ").includes(flag)) ?? [];
  return advice === undefined ? null : `There is no option ${flag}${advice}`;
}

const EXAMPLES: NonNullable<CommandSpec["examples"]> = [
  ["http://127.0.0.1:3000/", "a running server"],
  ["text json --servers deno,bun", "two servers, two scenarios"],
  ["text --rate 500", "response times at 500/s"],
  ["versus --base main", "is it slower than main?"],
  ["text --quick", "smoke run, a few seconds"],
];

function helpAfterCommands({ program }: Io): string {
  const options = OPTIONS.filter(({ brief }) => brief !== undefined);
  const width = Math.max(...options.map(({ flags }) => flags.length));
  return [
    "",
    "Most used options:",
    ...options.map(({ flags, brief }) => `  ${flags.padEnd(width)}  ${brief}`),
    "",
    `All options of a command: ${[...program, "run", "--help"].join(" ")}`,
    "Your own database: set DATABASE_URL, or PGHOST and so on (.env.example).",
    "",
    exitCodesHelp(),
  ].join("\n");
}

/** Width of help in columns: the usual width of a terminal, so that no line wraps. */
const HELP_COLUMNS = 80;

export function exitCodesHelp(): string {
  const lines = EXIT_CODES.flatMap(([code, says]) =>
    hanging(`  ${String(code).padEnd(3)}  `, says, HELP_COLUMNS)
  );
  return ["Exit codes:", ...lines].join("\n");
}

function withExamples(
  text: string,
  examples: NonNullable<CommandSpec["examples"]>,
  { program }: Io,
): string {
  if (examples.length === 0) return text;
  const rows = examples.map(([command, does]) => [[...program, command].join(" "), does] as const);
  const width = Math.max(...rows.map(([command]) => command.length));
  const isTooLong = rows.some(([, does]) => width + does.length + 5 > HELP_COLUMNS);
  const lines = rows.map(([command, does]) =>
    isTooLong ? `  ${command}\n      ${does}` : `  ${command.padEnd(width)}   ${does}`
  );
  return [text, "", "Examples:", ...lines].join("\n");
}

/** Throws a UsageError if the first argument of the default command looks like a mistyped command. */
async function assertNoCommand([word = ""]: readonly string[]): Promise<void> {
  const { SCENARIOS } = await import("../../scenarios/mod.ts");
  const { closest } = await import("../experiment/select.ts");
  const ids = SCENARIOS.map(({ id }) => id);
  const meant = ids.includes(word) ? null : closest(word, [...COMMAND_NAMES, ...ids]);
  if (COMMAND_NAMES.some((command) => command === meant)) {
    throw new UsageError(`There is no command "${word}": did you mean ${meant}?`);
  }
}

/** Runs the command of the arguments and returns its exit code; throws UsageError if they are invalid. */
export async function execute(
  args: readonly string[],
  io: Io,
  act = (name: CommandName, ...given: Parameters<CommandSpec["action"]>): Promise<number> =>
    COMMANDS[name].action(...given),
): Promise<number> {
  let exitCode = FINE;
  const output = { writeOut: (text: string) => io.out(text.trimEnd()), outputError: () => {} };
  const purpose = "Stampede benchmarks HTTP servers and shows how far to trust each figure.";
  const program = new Command(io.program.join(" ")).description(withExamples(purpose, EXAMPLES, io))
    .configureHelp({ subcommandTerm: (command) => command.name() }).version(denoConfig.version);
  for (const name of COMMAND_NAMES) {
    const { summary, takes, examples = [] } = COMMANDS[name];
    const [heading] = Object.entries(HEADINGS).find(([, names]) => names.includes(name)) ?? [];
    const command = program.command(name, { isDefault: name === "run" }).summary(summary)
      .description(withExamples(summary, examples, io)).helpGroup(heading ?? PREPARE);
    if (takes) command.argument(...takes);
    for (const option of optionsOf(name)) command.addOption(option);
    command.action(async (argument: unknown) => {
      applyDefaults(command, io.env);
      const words = takes ? [argument as string | string[]].flat() : [];
      const values = command.opts<Options>();
      const given = Object.keys(values).filter((key) =>
        command.getOptionValueSource(key) === "cli"
      );
      const options = { ...values, given };
      if (name === "run" && options.scenario === undefined) await assertNoCommand(words);
      exitCode = await act(name, words, options, io);
    });
    command.exitOverride().configureOutput(output).helpCommand(false);
  }
  program.addHelpCommand(
    new Command("help").argument("[command]").summary("show the options of a command")
      .helpGroup(PREPARE),
  );
  program.addHelpText("after", helpAfterCommands(io)).exitOverride().configureOutput(output);
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return FINE;
    throw new UsageError(wordsOf(error, args));
  }
}

function wordsOf({ code, message }: CommanderError, args: readonly string[]): string {
  const named = COMMAND_NAMES.find((name) => name === args[0]) ?? "run";
  const text = message.replace(/^error: /, "");
  const [, unknown] = code === "commander.unknownOption" ? /'(.*?)'/.exec(text) ?? [] : [];
  const meant = unknown === undefined ? null : meantBy(unknown, named);
  return `${(meant ?? text).replace(/[^.?!)]$/, "$&.")} All options: stampede ${named} --help`;
}

/** Matches the beginning of a command line in a message, such as `stampede run`. */
const COMMAND = new RegExp(`\\bstampede (?=--help|(${COMMAND_NAMES.join("|")})\\b)`, "g");

/** Runs the command of the arguments, prints its error, if any, and returns the exit code. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  try {
    return await execute(args, io);
  } catch (error) {
    // Command lines in messages begin as the person typed them
    const message = messageOf(error).replaceAll(COMMAND, `${io.program.join(" ")} `);
    io.err(printable(hideUrls(message)));
    if (args.includes("--debug") && error instanceof Error) io.err(printable(error.stack ?? ""));
    if (error instanceof UsageError) return WRONG_USAGE;
    return error instanceof Interrupted ? INTERRUPTED : FAILED;
  }
}
