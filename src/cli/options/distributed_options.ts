import { InvalidArgumentError } from "commander";
import { LONGEST_WINDOW_S } from "../../model/limits.ts";
import type { OptionSpec } from "./option_spec.ts";
import { seconds, whole } from "./option_values.ts";

/**
 * Highest rate for all runners (k6 on several machines) together, in requests per second. A larger one
 * is probably a typo.
 */
const MOST_RATE = 100_000_000;

/** Options for loads from several machines. */
export const DISTRIBUTED_OPTIONS: readonly OptionSpec[] = [
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
