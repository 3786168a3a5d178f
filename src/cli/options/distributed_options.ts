import { InvalidArgumentError } from "commander";
import { LONGEST_WINDOW_S } from "../../model/limits.ts";
import { UNITS } from "../../distributed/runner_text.ts";
import type { OptionSpec } from "./option_spec.ts";
import { seconds, whole } from "./option_values.ts";

/** What several machines send a second at most. */
const MOST_RATE = 100_000_000;

/** What is handed to several load generators, and what comes back of them. */
export const DISTRIBUTED_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--rate <n>",
    help: "requests a second at each scenario, of all runners together (0.1 to 100000000)",
    commands: ["export"],
    parse: (text) => {
      const value = Number(text.replace(/\s*\/s$/, ""));
      if (!/^(\d+(\.\d*)?|\.\d+)(\s*\/s)?$/.test(text) || !(value >= 0.1 && value <= MOST_RATE)) {
        throw new InvalidArgumentError(
          `It must be a number of requests a second from 0.1 to ${MOST_RATE}.`,
        );
      }
      return value;
    },
  },
  {
    flags: "-z, --duration <s>",
    help: "seconds that each scenario lasts (0.5 to 600), such as 30 or 30s",
    commands: ["export"],
    fallback: 30,
    parse: seconds(0.5, LONGEST_WINDOW_S),
  },
  {
    flags: "--users <n>",
    help:
      "requests that may be under way at once, of all runners together: k6's virtual users (1 to 10000000)",
    commands: ["export"],
    fallbackText: "as many as are due within the longest limit of --slo, 256 at least",
    parse: whole(1, 10_000_000),
  },
  {
    flags: "--kubernetes <file>",
    help: "write a ConfigMap with the script, and a TestRun for k6-operator, to this file too",
    commands: ["export"],
  },
  {
    flags: "--parallelism <n>",
    help: "runners of that TestRun, each on a node of its own (1 to 1000)",
    commands: ["export"],
    fallback: 2,
    parse: whole(1, 1000),
  },
  {
    flags: "--with-values",
    help:
      "write what headers, queries and bodies say into the script; else they are variables, since they may be secrets",
    commands: ["export"],
    fallback: false,
  },
  {
    flags: "--partial",
    help: "merge what is there, where runners are missing or their files are damaged",
    commands: ["import"],
    fallback: false,
  },
  {
    flags: "--hdr-unit <unit>",
    help: "what the values of HdrHistogram logs count",
    commands: ["import"],
    choices: Object.keys(UNITS),
    fallback: "us",
  },
  {
    flags: "--out <file>",
    help: "write the script to this file",
    commands: ["export"],
    fallbackText: "standard output",
  },
];
