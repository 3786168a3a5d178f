import { FORMATS } from "../../view/reporters.ts";
import { COMMAND_NAMES, MEASURING, type OptionSpec } from "./option_spec.ts";

/** Options for the printed output and the written files. */
export const OUTPUT_OPTIONS: readonly OptionSpec[] = [
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
export const DEBUG_OPTION: OptionSpec = {
  flags: "--debug",
  help: "print the stack of an error",
  commands: COMMAND_NAMES,
  fallback: false,
};
