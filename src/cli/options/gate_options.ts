import type { OptionSpec } from "./option_spec.ts";
import { percent } from "./option_values.ts";

/** What is compared, and what a comparison fails on. */
export const GATE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--base <revision>",
    help: "a git revision of the server, or a manifest; it must be given",
    commands: ["versus"],
  },
  {
    flags: "--head <revision>",
    help: "what is compared with it: a git revision, or a manifest",
    commands: ["versus"],
    fallbackText: "the server as it is",
  },
  {
    flags: "--fail-on <percent>",
    help: "exit with 1 if something is proven to be more than this slower, such as 5%",
    commands: ["compare", "versus"],
    parse: percent(0, 100),
  },
  {
    flags: "--strict",
    help: "with --fail-on: exit with 3 if that can neither be proven nor excluded",
    commands: ["compare", "versus"],
    fallback: false,
  },
  {
    flags: "--noise <file>",
    help: "a report of bench noise, whose floor changes must exceed, or the word none",
    commands: ["compare", "versus"],
    fallbackText:
      "the newest in results/ of the same machine; of windows, of the same load generator",
  },
  {
    flags: "--force",
    help: "compare in spite of another machine, software, load or request",
    commands: ["compare"],
    fallback: false,
  },
];
