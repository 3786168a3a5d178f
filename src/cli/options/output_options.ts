import { FORMATS } from "../../view/reporters.ts";
import { COMMAND_NAMES, MEASURING, type OptionSpec } from "./option_spec.ts";

/** What is printed, and what is written where. */
export const OUTPUT_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--explain <scenarios>",
    help: "print the evidence behind the figures of these, separated by commas, or of all",
    commands: ["run", "report"],
  },
  {
    flags: "--wide",
    help:
      "print every figure, every warning and the environment: CPU/req, RSS, probe, start-up, versions",
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
    help: "write a page with charts, which needs nothing else",
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
      "then profile each server on Deno or Node.js for 3 s at each scenario: a .cpuprofile for DevTools beside the report, and flame graphs on the page",
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
    help: "how reports are printed",
    commands: ["report"],
    choices: FORMATS,
    fallback: "table",
  },
  {
    flags: "--json",
    help: {
      else: "print the report as JSON and nothing else",
      compare: "print the comparison as JSON and nothing else",
      versus: "print the comparison as JSON and nothing else",
      faults: "print the outcome of each fault as JSON and nothing else",
    },
    commands: ["run", "capacity", "versus", "compare", "faults", "import"],
    fallback: false,
  },
  {
    flags: "--dry-run",
    help: "print the experiment, its plan and what will be left out, and stop",
    commands: MEASURING,
    fallback: false,
  },
];

/** Of every command. */
export const DEBUG_OPTION: OptionSpec = {
  flags: "--debug",
  help: "show where an error comes from",
  commands: COMMAND_NAMES,
  fallback: false,
};
