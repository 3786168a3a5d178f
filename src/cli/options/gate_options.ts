import type { OptionSpec } from "./option_spec.ts";
import { percent } from "./option_values.ts";

/** Options for comparisons, and for the changes on which they fail. */
export const GATE_OPTIONS: readonly OptionSpec[] = [
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
