/** The commands, in the order in which help lists them. */
import { capacity, generators, noise, run } from "./commands/run_command.ts";
import { compare, versus } from "./commands/compare_command.ts";
import { completions } from "./commands/completions_command.ts";
import { exportLoad, importRunners } from "./commands/distributed_command.ts";
import { history, report, site } from "./commands/report_command.ts";
import { list } from "./commands/list_command.ts";
import { doctor } from "./commands/doctor_command.ts";
import { create, init } from "./commands/init_command.ts";
import { cleanDatabase, faults, serve, verifyServers } from "./commands/servers_command.ts";
import type { Io } from "./io.ts";
import { COMMAND_NAMES, type CommandName } from "./options/option_spec.ts";

/** A command line without the program's name, with its purpose. */
export type Example = readonly [command: string, does: string];

/** A command: its help, its arguments and its action. */
export interface CommandSpec {
  readonly name: CommandName;
  readonly summary: string;
  /** The heading in `bench --help`. */
  readonly group: "Measure" | "Read and compare" | "Prepare" | "Several machines";
  /** Command lines without the program's name, each with its purpose. */
  readonly examples?: readonly Example[];
  /** Name and help text of the command's arguments; absent if it takes none. */
  readonly takes?: readonly [name: string, help: string];
  /** Runs the command and returns its exit code; throws UsageError for invalid words or options. */
  // deno-lint-ignore no-explicit-any -- commander's options are checked by the table that made them
  readonly action: (args: readonly string[], options: any, io: Io) => Promise<number>;
}

const SCENARIO = ["[scenario...]", "ids; the list command prints them"] as const;

const SPECS: Readonly<Record<CommandName, Omit<CommandSpec, "name">>> = {
  run: {
    group: "Measure",
    examples: [
      ["", "every scenario, six rounds or more (about 4 min)"],
      ["--quick", "every scenario, a smoke run (half a minute)"],
      ["text json -c 50", "two scenarios, 50 connections"],
      ["text --servers deno,bun --html page.html", "two servers, and an HTML page"],
      ["http://127.0.0.1:3000/ -z 10s", "a running server"],
      ["text --rate 500,1000", "response times at two rates"],
      ["--dry-run", "the plan of a run"],
      ["text --explain text", "the evidence behind the figures"],
    ],
    summary: "measure scenarios or a URL (the default command)",
    takes: [
      "[scenario or URL...]",
      "scenario ids (the list command prints them) or one URL; default: every scenario",
    ],
    action: run,
  },
  capacity: {
    group: "Measure",
    examples: [
      [
        "capacity json --slo 'p99<10ms'",
        "the highest rate at which 99 % of responses take less than 10 ms",
      ],
      ["capacity text --servers deno,bun", "two servers, with the default SLO"],
    ],
    summary: "find the highest rate at which a server meets an SLO",
    takes: SCENARIO,
    action: capacity,
  },
  compare: {
    group: "Read and compare",
    examples: [
      ["compare", "the last two runs"],
      ["compare before.json after.json", "two reports"],
      [
        "compare before.json after.json --fail-on 5%",
        "exit with 1 if a slowdown is proven to exceed 5 %",
      ],
    ],
    summary: "compare two reports",
    takes: ["[report...]", "two files, the base first; default: the last two runs in results/"],
    action: compare,
  },
  versus: {
    group: "Measure",
    examples: [
      ["versus --base main", "is it slower than main?"],
      [
        "versus text --base main --fail-on 5%",
        "exit with 1 if text is proven to be more than 5 % slower",
      ],
      ["versus --base HEAD~1 --head HEAD", "two commits"],
      ["versus text --base a/server.json --head b/server.json", "two servers"],
      ["versus --server stampede/shop --base main", "your own server"],
    ],
    summary: "measure two revisions or two servers together, and compare",
    takes: SCENARIO,
    action: versus,
  },
  report: {
    group: "Read and compare",
    examples: [
      ["report --wide", "every figure of the newest run"],
      ["report --format html --out page.html", "the newest run as an HTML page"],
      ["report monday.json tuesday.json --format html --out page.html", "the history of two runs"],
    ],
    summary: "print a report as a table, Markdown, HTML, SVG, JSON or CSV",
    takes: ["[report...]", "files; default: the newest one in results/"],
    action: report,
  },
  history: {
    group: "Read and compare",
    summary: "list the runs in results/ with their figures",
    takes: ["[scenario...]", "ids; default: all"],
    action: history,
  },
  export: {
    group: "Several machines",
    examples: [["export k6 text --rate 1000 --out load.js", "a script for k6"]],
    summary: "write scenarios as a k6 script, for load from several machines",
    takes: ["<what...>", "k6, then scenario ids or one URL"],
    action: exportLoad,
  },
  import: {
    group: "Several machines",
    summary: "merge the results of several k6 runners into one report",
    takes: ["<what...>", "k6, then the files of its runners"],
    action: importRunners,
  },
  site: {
    group: "Read and compare",
    summary: "write a static site: all runs, their changes, and a badge",
    takes: ["[report or folder...]", "reports, or folders with reports; default: results/"],
    action: site,
  },
  verify: {
    group: "Measure",
    examples: [
      ["verify", "every response of Stampede's own server"],
      ["verify text json --server stampede/shop", "two scenarios of your own server"],
    ],
    summary: "check every response, without load",
    takes: SCENARIO,
    action: verifyServers,
  },
  faults: {
    group: "Measure",
    examples: [
      ["faults deno express", "two servers, every fault"],
      ["faults --only sigterm", "does a server finish its requests after SIGTERM?"],
    ],
    summary: "inject faults; report clients' errors and the recovery time",
    takes: ["[server...]", "ids (the list command prints them); default: deno"],
    action: faults,
  },
  doctor: {
    group: "Prepare",
    summary: "check this machine for causes of noise, with advice",
    action: (_args, options, io) => doctor(options, io),
  },
  noise: {
    group: "Measure",
    summary: "measure a server against itself, for the noise floor",
    takes: SCENARIO,
    action: noise,
  },
  generators: {
    group: "Measure",
    summary: "compare the installed load generators at one server",
    takes: ["[scenario...]", "ids; default: text"],
    action: generators,
  },
  list: {
    group: "Prepare",
    summary: "list scenarios, servers and load generators",
    takes: ["[what...]", "scenarios, servers, or generators (also measures their ceilings)"],
    action: (what, _options, io) => list(what, io),
  },
  serve: {
    group: "Prepare",
    summary: "run Stampede's own server until Ctrl-C",
    action: (_args, options, io) => serve(options, io),
  },
  init: {
    group: "Prepare",
    summary: "write a manifest, a scenario and a workflow for your project",
    takes: ["[folder]", "your project; default: the current folder"],
    action: (folders, _options, io) => init(folders, io),
  },
  new: {
    group: "Prepare",
    summary: "copy a server of the suite, or write a first scenario",
    takes: ["<what...>", "server or scenario, then its new id"],
    action: create,
  },
  completions: {
    group: "Prepare",
    summary: "print a completion script for bash, zsh or fish",
    takes: ["<shell>", "bash, zsh or fish"],
    action: (shells, _options, io) => completions(shells, COMMANDS, io),
  },
  "clean-database": {
    group: "Prepare",
    summary: "remove Stampede's schema from your database",
    action: (_args, options, io) => cleanDatabase(options, io),
  },
};

/** All commands. */
export const COMMANDS: readonly CommandSpec[] = COMMAND_NAMES.map((name) => ({
  name,
  ...SPECS[name],
}));
