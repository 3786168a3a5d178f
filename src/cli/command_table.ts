/** Every command: its help, and its action, which is imported when it runs, so that help is fast. */
import type { CommandSpec } from "./command.ts";
import type { CommandName } from "./options/option_spec.ts";

export const COMMANDS: Readonly<Record<CommandName, CommandSpec>> = {
  run: {
    examples: [
      ["", "the eight usual scenarios, six rounds or more (about 4 min)"],
      ["--quick", "the same scenarios, a smoke run (half a minute)"],
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
      "scenario ids (the list command prints them) or one URL; default: the eight usual ones",
    ],
    action: async (...given) => (await import("./commands/run_command.ts")).run(...given),
  },
  capacity: {
    examples: [
      [
        "capacity json --slo 'p99<10ms'",
        "the highest rate at which 99 % of responses take less than 10 ms",
      ],
      ["capacity text --servers deno,bun", "two servers, with the default SLO"],
    ],
    summary: "find the highest rate at which a server meets an SLO",
    takes: ["[scenario...]", "ids (the list command prints them); default: the eight usual ones"],
    action: async (...given) => (await import("./commands/run_command.ts")).capacity(...given),
  },
  compare: {
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
    action: async (...given) => (await import("./commands/compare_command.ts")).compare(...given),
  },
  versus: {
    examples: [
      ["versus --base main", "is it slower than main?"],
      [
        "versus text --base main --fail-on 5%",
        "exit with 1 if text is proven to be more than 5 % slower",
      ],
      ["versus --base HEAD~1 --head HEAD", "two commits"],
      ["versus text --base a/server.json --head b/server.json", "two servers"],
      [
        "versus --server stampede/shop --scenario mine.js --base main",
        "your own server",
      ],
    ],
    summary: "measure two revisions or two servers together, and compare",
    takes: ["[scenario...]", "ids (the list command prints them); default: the eight usual ones"],
    action: async (...given) => (await import("./commands/compare_command.ts")).versus(...given),
  },
  releases: {
    examples: [
      ["releases deno --from 2.4", "each minor release of Deno from 2.4 on, at text"],
      ["releases node text json --from 20 --to 26 --each major", "Node.js 20 to 26, two scenarios"],
      [
        "releases node --from 20 --server stampede/shop --scenario mine.js",
        "your own server",
      ],
    ],
    summary: "compare releases of Deno, Node.js or Bun, each with the one before it",
    takes: ["<what...>", "deno, node or bun; then scenario ids, by default text"],
    action: async (...given) => (await import("./commands/releases_command.ts")).releases(...given),
  },
  bisect: {
    examples: [
      ["bisect text json --good HEAD~64 --bad HEAD", "which commit made text or json slower?"],
      ["bisect json --good HEAD~9 --bad HEAD --fail-on 3%", "only a slowdown of more than 3 %"],
      ["bisect text --good deno@2.7.1 --bad deno@2.7.14", "which release of Deno?"],
    ],
    summary: "find the commit or the release that made a server slower",
    takes: ["[scenario...]", "ids (the list command prints them); default: the eight usual ones"],
    action: async (...given) => (await import("./commands/bisect_command.ts")).bisect(...given),
  },
  report: {
    examples: [
      ["report --wide", "every figure of the newest run"],
      ["report --format html --out page.html", "the newest run as an HTML page"],
      ["report monday.json tuesday.json --format html --out page.html", "the history of two runs"],
    ],
    summary: "print a report as a table, Markdown, HTML, SVG, JSON or CSV",
    takes: ["[report...]", "files; default: the newest one in results/"],
    action: async (...given) => (await import("./commands/report_command.ts")).report(...given),
  },
  history: {
    summary: "list the runs in results/ with their figures",
    takes: ["[scenario...]", "ids; default: all"],
    action: async (...given) => (await import("./commands/report_command.ts")).history(...given),
  },
  export: {
    examples: [["export k6 text --rate 1000 --out load.ts", "a script for k6"]],
    summary: "write scenarios as a k6 script, for load from several machines",
    takes: ["<what...>", "k6, then scenario ids or one URL"],
    action: async (...given) =>
      (await import("./commands/distributed_command.ts")).exportLoad(...given),
  },
  import: {
    summary: "merge the results of several k6 runners into one report",
    takes: ["<what...>", "k6, then the files of its runners"],
    action: async (...given) =>
      (await import("./commands/distributed_command.ts")).importRunners(...given),
  },
  site: {
    summary: "write a static site: all runs, their changes, and a badge",
    takes: ["[report or folder...]", "reports, or folders with reports; default: results/"],
    action: async (...given) => (await import("./commands/site_command.ts")).site(...given),
  },
  verify: {
    examples: [
      ["verify", "every response of Stampede's own server"],
      [
        "verify --server stampede/shop --scenario mine.js",
        "your scenario at your own server",
      ],
    ],
    summary: "check every response, without load",
    takes: ["[scenario...]", "ids (the list command prints them); default: all"],
    action: async (...given) => (await import("./commands/servers_command.ts")).verify(...given),
  },
  work: {
    examples: [
      ["work text sql1 --servers deno,express", "two servers at two scenarios"],
      [
        "work --server stampede/shop --scenario mine.js",
        "your scenario at your own server",
      ],
    ],
    summary: "compare the work of servers for one response: bytes, headers, statements",
    takes: ["[scenario...]", "ids (the list command prints them); default: all"],
    action: async (...given) => (await import("./commands/work_command.ts")).work(...given),
  },
  faults: {
    examples: [
      ["faults deno express", "two servers, every fault"],
      ["faults --only sigterm", "does a server finish its requests after SIGTERM?"],
    ],
    summary: "inject faults; report clients' errors and the recovery time",
    takes: ["[server...]", "ids (the list command prints them); default: deno"],
    action: async (...given) => (await import("./commands/servers_command.ts")).faults(...given),
  },
  doctor: {
    summary: "check this machine for causes of noise, with advice",
    action: async (...given) => (await import("./commands/doctor_command.ts")).doctor(...given),
  },
  noise: {
    summary: "measure a server against itself, for the noise floor",
    takes: ["[scenario...]", "ids (the list command prints them); default: the eight usual ones"],
    action: async (...given) => (await import("./commands/run_command.ts")).noise(...given),
  },
  generators: {
    summary: "compare the installed load generators at one server",
    takes: ["[scenario...]", "ids; default: text"],
    action: async (...given) => (await import("./commands/run_command.ts")).generators(...given),
  },
  list: {
    summary: "list scenarios, servers and load generators",
    takes: ["[what...]", "scenarios, servers, or generators (also measures their ceilings)"],
    action: async (...given) => (await import("./commands/list_command.ts")).list(...given),
  },
  serve: {
    summary: "run Stampede's own server until Ctrl-C",
    action: async (...given) => (await import("./commands/servers_command.ts")).serve(...given),
  },
  init: {
    summary: "write a manifest, a scenario and a workflow for your project",
    takes: ["[folder]", "your project; default: the current folder"],
    action: async (...given) => (await import("./commands/init_command.ts")).init(...given),
  },
  new: {
    summary: "copy a server of the suite, or write a first scenario",
    takes: ["<what...>", "server or scenario, then its new id"],
    action: async (...given) => (await import("./commands/init_command.ts")).create(...given),
  },
  action: {
    summary: "run as a step of GitHub Actions: measure, comment, keep a history",
    action: async (_words, _options, io) => (await import("../ci/action.ts")).runAction(io.out),
  },
  completions: {
    summary: "print a completion script for bash, zsh or fish",
    takes: ["<shell>", "bash, zsh or fish"],
    action: async (...given) =>
      (await import("./commands/completions_command.ts")).completions(...given, COMMANDS),
  },
  clean: {
    examples: [["clean --dry-run", "only list it, with sizes"]],
    summary: "remove what is in Stampede's cache folder: builds, downloads and copies",
    action: async (...given) => (await import("./commands/clean_command.ts")).clean(...given),
  },
  "clean-database": {
    summary: "remove Stampede's schema from your database",
    action: async (...given) =>
      (await import("./commands/servers_command.ts")).cleanDatabase(...given),
  },
};
