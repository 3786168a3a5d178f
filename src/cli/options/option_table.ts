import { InvalidArgumentError } from "commander";
import { LONGEST_WINDOW_S } from "../../model/limits.ts";
import { FORMATS } from "../../view/reporters.ts";
import { LOAD_OPTIONS, WORKLOAD_OPTIONS } from "./load_options.ts";
import {
  COMMAND_NAMES,
  MEASURING,
  type OptionSpec,
  percent,
  seconds,
  whole,
} from "./option_spec.ts";
import { DATABASE_OPTIONS, MACHINE_OPTIONS } from "./server_options.ts";

/** Options for comparisons, and for the changes on which they fail. */
const GATE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--base <revision>",
    help: "base: a git revision of the server, or a manifest (required)",
    commands: ["versus"],
  },
  {
    flags: "--head <revision>",
    help: "head: a git revision of the server, or a manifest",
    commands: ["versus"],
    fallbackText: "the server's current files",
  },
  {
    flags: "--fail-on <percent>",
    help: "exit with 1 if a slowdown is proven to exceed this, such as 5%",
    commands: ["compare", "versus"],
    parse: percent(0, 100),
  },
  {
    flags: "--strict",
    help: "with --fail-on: exit with 3 if such a slowdown is neither proven nor excluded",
    commands: ["compare", "versus"],
    fallback: false,
  },
  {
    flags: "--noise <file>",
    help: "report of the noise command: changes must exceed its noise floor; none: use no report",
    commands: ["compare", "versus"],
    fallbackText:
      "the newest one of this machine in results/; for windows, of the same load generator",
  },
  {
    flags: "--force",
    help: "compare even if machine, software, load or requests differ, or other programs were busy",
    commands: ["compare"],
    fallback: false,
  },
];

/**
 * Highest rate for all runners (k6 on several machines) together, in requests per second. A larger one
 * is probably a typo.
 */
const MOST_RATE = 100_000_000;

/** Options for loads from several machines. */
const DISTRIBUTED_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--rate <n>",
    help: "requests per second at each scenario, from all runners together (0.1 to 100000000)",
    commands: ["export"],
    parse: (text) => {
      const value = Number(text.replace(/\s*\/s$/, ""));
      if (!/^(\d+(\.\d*)?|\.\d+)(\s*\/s)?$/.test(text) || !(value >= 0.1 && value <= MOST_RATE)) {
        throw new InvalidArgumentError(
          `It must be a number of requests per second from 0.1 to ${MOST_RATE}.`,
        );
      }
      return value;
    },
  },
  {
    flags: "-z, --duration <s>",
    help: "length of each scenario (0.5 to 600 seconds), such as 30 or 30s",
    commands: ["export"],
    fallback: 30,
    parse: seconds(0.5, LONGEST_WINDOW_S),
  },
  {
    flags: "--users <n>",
    help:
      "k6's virtual users, from all runners together: the most requests in flight (1 to 10000000)",
    commands: ["export"],
    fallbackText: "--rate times the longest time in --slo, at least 256",
    parse: whole(1, 10_000_000),
  },
  {
    flags: "--kubernetes <file>",
    help: "also write a ConfigMap with the script and a TestRun for k6-operator to this file",
    commands: ["export"],
  },
  {
    flags: "--parallelism <n>",
    help: "runners of that TestRun, one per node (1 to 1000)",
    commands: ["export"],
    fallback: 2,
    parse: whole(1, 1000),
  },
  {
    flags: "--with-values",
    help:
      "write the values of headers, queries and bodies into the script; by default they are variables, since they may be secret",
    commands: ["export"],
    fallback: false,
  },
  {
    flags: "--partial",
    help: "merge the readable files, even if runners are missing or files are damaged",
    commands: ["import"],
    fallback: false,
  },
  {
    flags: "--out <file>",
    help: "write the script to this file",
    commands: ["export"],
    fallbackText: "standard output",
  },
];

/** Options for the printed output and the written files. */
const OUTPUT_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--explain <scenarios>",
    help: "print the evidence for these scenarios, separated by commas, or for all",
    brief: "print the evidence behind the figures",
    commands: ["run", "report"],
  },
  {
    flags: "--wide",
    help: "print every figure (CPU/req, RSS, probe, start-up), every warning and the environment",
    commands: ["run", "capacity", "report", "import"],
    fallback: false,
  },
  {
    flags: "--out <file>",
    help: "write the report to this file",
    commands: [...MEASURING, "report", "import"],
    fallbackText: { else: "results/<time>-<id>.json", report: "standard output" },
  },
  {
    flags: "--out <folder>",
    help: "write the site to this folder",
    commands: ["site"],
    fallbackText: "site",
  },
  {
    flags: "--html <file>",
    help: "write one HTML page with charts",
    brief: "write one HTML page with charts",
    commands: ["run", "capacity", "compare", "versus", "import"],
  },
  {
    flags: "--markdown <file>",
    help: "write the result as Markdown",
    commands: ["run", "capacity", "compare", "versus", "import"],
  },
  {
    flags: "--profile",
    help:
      "profile each server on Deno or Node.js for 3 s at each scenario, after the measurement: .cpuprofile files next to the report, flame graphs on the page",
    commands: ["run"],
    fallback: false,
  },
  {
    flags: "--csv <file>",
    help: "write every figure as CSV",
    commands: ["run", "capacity", "import"],
  },
  {
    flags: "--format <name>",
    help: "output format",
    commands: ["report"],
    choices: FORMATS,
    fallback: "table",
  },
  {
    flags: "--json",
    help: {
      else: "print only the report, as JSON",
      compare: "print only the comparison, as JSON",
      versus: "print only the comparison, as JSON",
      faults: "print only the outcome of each fault, as JSON",
    },
    brief: "print only the report, as JSON",
    commands: ["run", "capacity", "versus", "compare", "faults", "import"],
    fallback: false,
  },
  {
    flags: "--dry-run",
    help: "print the experiment and its plan, and measure nothing",
    commands: MEASURING,
    fallback: false,
  },
];

/** Option `--debug`, which every command has. */
const DEBUG_OPTION: OptionSpec = {
  flags: "--debug",
  help: "print the stack of an error",
  commands: COMMAND_NAMES,
  fallback: false,
};

type OptionGroup = readonly [heading: string, options: readonly OptionSpec[]];

/** The options by purpose, in the order in which help lists them. */
export const OPTION_GROUPS: readonly [OptionGroup, ...OptionGroup[]] = [
  ["What to measure", WORKLOAD_OPTIONS],
  ["Load", LOAD_OPTIONS],
  ["Several machines", DISTRIBUTED_OPTIONS],
  ["Comparison", GATE_OPTIONS],
  ["Output", OUTPUT_OPTIONS],
  ["Database", DATABASE_OPTIONS],
  ["Machine", MACHINE_OPTIONS],
  ["Options", [DEBUG_OPTION]],
];

/** All options. Help, defaults, checks, the reference and .env.example come from this table. */
export const OPTIONS: readonly OptionSpec[] = OPTION_GROUPS.flatMap(([, options]) => options);
