/** Every command, in the order in which help lists them. */
import { capacity } from "./commands/capacity_command.ts";
import { cleanDatabase } from "./commands/clean_database_command.ts";
import { compare } from "./commands/compare_command.ts";
import { completions } from "./commands/completions_command.ts";
import { exportLoad } from "./commands/export_command.ts";
import { faults } from "./commands/faults_command.ts";
import { history } from "./commands/history_command.ts";
import { list } from "./commands/list_command.ts";
import { doctor } from "./commands/doctor_command.ts";
import { generators } from "./commands/generators_command.ts";
import { importRunners } from "./commands/import_command.ts";
import { init } from "./commands/init_command.ts";
import { create } from "./commands/new_command.ts";
import { noise } from "./commands/noise_command.ts";
import { report } from "./commands/report_command.ts";
import { run } from "./commands/run_command.ts";
import { serve } from "./commands/serve_command.ts";
import { site } from "./commands/site_command.ts";
import { verifyServers } from "./commands/verify_command.ts";
import { versus } from "./commands/versus_command.ts";
import type { Io } from "./io.ts";
import type { CommandName } from "./options/option_spec.ts";

/** Headings of help, in its order. */
type CommandGroup = "Measure" | "Read and compare" | "Prepare" | "Several machines";

/** A command line without the program's name, and its purpose. */
export type Example = readonly [command: string, does: string];

/** A command: what it takes, and what it does. */
export interface CommandSpec {
  readonly name: CommandName;
  readonly summary: string;
  /** The heading below which help lists it. */
  readonly group: CommandGroup;
  /** Command lines without the program's name, each with its purpose. */
  readonly examples?: readonly Example[];
  /** What its arguments are called, and where they are listed; without it there are none. */
  readonly takes?: readonly [name: string, help: string];
  // deno-lint-ignore no-explicit-any -- commander's options are checked by the table that made them
  readonly action: (options: any, args: string[], io: Io) => Promise<number>;
}

const SCENARIO = ["[scenario...]", "see `bench list`"] as const;

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "run",
    group: "Measure",
    examples: [
      ["", "every scenario, six rounds or more (about 4 min)"],
      ["--quick", "a look in half a minute"],
      ["text json -c 50", "two scenarios, 50 connections"],
      ["text --servers deno,bun --html page.html", "two servers, as a page too"],
      ["http://127.0.0.1:3000/ -z 10s", "a server that runs already"],
      ["text --rate 500,1000", "response times at two rates"],
      ["--dry-run", "what would be done, in order"],
      ["text --explain text", "the evidence behind the figures"],
    ],
    summary: "measure the scenarios, all of them by default (this is the default command)",
    takes: ["[scenario or URL...]", "see `bench list`; a URL needs no scenario"],
    action: (options, scenarios, io) => run(scenarios, options, io),
  },
  {
    name: "capacity",
    group: "Measure",
    examples: [
      [
        "capacity json --slo 'p99<10ms'",
        "the highest rate at which 99 % of responses take less than 10 ms",
      ],
      ["capacity text --servers deno,bun", "two servers, with the usual SLO"],
    ],
    summary: "find the highest rate at which servers meet an SLO, and what users wait below it",
    takes: SCENARIO,
    action: (options, scenarios, io) => capacity(scenarios, options, io),
  },
  {
    name: "compare",
    group: "Read and compare",
    examples: [
      ["compare", "the last two runs"],
      ["compare before.json after.json", "two reports"],
      [
        "compare before.json after.json --fail-on 5%",
        "exit with 1 if something is proven to be more than 5 % slower",
      ],
    ],
    summary: "compare two reports: what became faster, slower, or cannot be told?",
    takes: [
      "[report...]",
      "two files, the base first; without them, the last two runs in results/",
    ],
    action: (options, paths, io) => compare(paths, options, io),
  },
  {
    name: "versus",
    group: "Measure",
    examples: [
      ["versus --base main", "is what changed since main slower?"],
      [
        "versus text --base main --fail-on 5%",
        "exit with 1 if text is proven to be more than 5 % slower",
      ],
      ["versus --base HEAD~1 --head HEAD", "two commits"],
      ["versus text --base a/server.json --head b/server.json", "two servers"],
      ["versus --server stampede/shop --base main", "a server of yours"],
    ],
    summary: "measure two revisions of a server, or two servers, in the same rounds, and compare",
    takes: SCENARIO,
    action: (options, scenarios, io) => versus(scenarios, options, io),
  },
  {
    name: "report",
    group: "Read and compare",
    examples: [
      ["report --wide", "every figure of the newest run"],
      ["report --format html --out page.html", "the newest run as a page"],
      ["report monday.json tuesday.json --format html --out page.html", "a history"],
    ],
    summary: "draw reports as a table, Markdown, a page, a picture, JSON or CSV, without measuring",
    takes: ["[report...]", "files; without one, the newest in results/"],
    action: (options, paths, io) => report(paths, options, io),
  },
  {
    name: "history",
    group: "Read and compare",
    summary: "list what the runs in results/ reached",
    takes: ["[scenario...]", "those to show; all by default"],
    action: (options, scenarios, io) => history(scenarios, options, io),
  },
  {
    name: "export",
    group: "Several machines",
    examples: [
      ["export k6 text --rate 1000 --out load.js", "a script for k6"],
    ],
    summary: "write scenarios at a rate as a script for k6, where one machine cannot send enough",
    takes: ["<what...>", "k6, and then scenarios (see `bench list`) or a URL"],
    action: (options, args, io) => exportLoad(args, options, io),
  },
  {
    name: "import",
    group: "Several machines",
    summary: "merge what several load generators have counted into one report",
    takes: ["<what...>", "k6, and then the files that its runners wrote, or HdrHistogram logs"],
    action: (options, args, io) => importRunners(args, options, io),
  },
  {
    name: "site",
    group: "Read and compare",
    summary:
      "make a static site of reports: the newest run, what changed, a page for each, a badge",
    takes: ["[report or folder...]", "files, or folders of them; results/ by default"],
    action: (options, paths, io) => site(paths, options, io),
  },
  {
    name: "verify",
    group: "Measure",
    examples: [
      ["verify", "every response of Stampede's own server"],
      ["verify text json --server stampede/shop", "two scenarios of a server of yours"],
    ],
    summary: "check every response, without any load",
    takes: SCENARIO,
    action: (options, scenarios, io) => verifyServers(scenarios, options, io),
  },
  {
    name: "faults",
    group: "Measure",
    examples: [
      ["faults deno express", "what clients of two servers get"],
      ["faults --only sigterm", "whether a server ends in order"],
    ],
    summary: "do harm to servers, and say what their clients get and when all is well again",
    takes: ["[server...]", "see `bench list servers`; deno if none is named"],
    action: (options, servers, io) => faults(servers, options, io),
  },
  {
    name: "doctor",
    group: "Prepare",
    summary: "say what in this machine would spoil a measurement, and what to do about it",
    action: (options, _args, io) => doctor(options, io),
  },
  {
    name: "noise",
    group: "Measure",
    summary: "measure a server against itself: which differences mean nothing here",
    takes: SCENARIO,
    action: (options, scenarios, io) => noise(scenarios, options, io),
  },
  {
    name: "generators",
    group: "Measure",
    summary: "compare the load generators that are here at one server: which tool to believe?",
    takes: ["[scenario...]", "see `bench list`; text if none is named"],
    action: (options, scenarios, io) => generators(scenarios, options, io),
  },
  {
    name: "list",
    group: "Prepare",
    summary: "list scenarios, servers and load generators, and what is missing here",
    takes: ["[what...]", "scenarios, servers or generators (these with their ceilings)"],
    action: (_options, what, io) => list(what, io),
  },
  {
    name: "serve",
    group: "Prepare",
    summary: "serve the routes until Ctrl-C",
    action: (options, _args, io) => serve(options, io),
  },
  {
    name: "init",
    group: "Prepare",
    summary: "look at a project, and write what it takes to measure it; nothing is overwritten",
    takes: ["[folder]", "the project's; by default where you are"],
    action: (_options, folders, io) => init(folders, io),
  },
  {
    name: "new",
    group: "Prepare",
    summary: "copy a server of the suite as one of yours, or write a first scenario",
    takes: ["<what...>", "server or scenario, and its id"],
    action: (options, args, io) => create(args, options, io),
  },
  {
    name: "completions",
    group: "Prepare",
    summary: "print a script that completes commands and names in bash, zsh or fish",
    takes: ["<shell>", "bash, zsh or fish"],
    action: (_options, shells, io) => completions(shells, COMMANDS, io),
  },
  {
    name: "clean-database",
    group: "Prepare",
    summary: "remove Stampede's schema from your database",
    action: (options, _args, io) => cleanDatabase(options, io),
  },
];

/** The commands as a Markdown table, for the reference. */
export function commandsTable(): string {
  const rows = COMMANDS.map(({ name, summary }) => `| \`${name}\` | ${summary} |`);
  return ["| command | does |", "|---|---|", ...rows].join("\n");
}
