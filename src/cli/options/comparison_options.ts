/** The options of the commands that compare: two sides, releases, bisections, and their causes. */
import { InvalidArgumentError } from "commander";
import { EACH } from "../../model/server.ts";
import { COST_GROUPS, parseThresholds, type Thresholds } from "../../model/costs.ts";
import type { OptionTable } from "./option_spec.ts";

function limits(text: string): Thresholds {
  const thresholds = parseThresholds(text);
  if (thresholds !== null) return thresholds;
  throw new InvalidArgumentError(
    `It must be a percentage from 0 to 100, such as 5%, or name costs: ${
      COST_GROUPS.map((group) => `${group}=10%`).join(",")
    }.`,
  );
}

export const OPTIONS_OF_COMPARISONS: OptionTable = {
  "--base <revision>": {
    help:
      "base: a git revision of the server, a manifest, or a release that runs it, such as deno@2.8.3 (required)",
    commands: ["versus"],
  },
  "--head <revision>": {
    help: "head: a git revision, a manifest, or a release of Deno, Node.js or Bun",
    commands: ["versus"],
    fallbackText: "the server's current files",
  },
  "--good <revision>": {
    help: "the fast end: a git revision of the server, or a release of its runtime (required)",
    commands: ["bisect"],
  },
  "--bad <revision>": {
    help: "the slow end: a later revision or release (required)",
    commands: ["bisect"],
  },
  "--restart": {
    help: "begin again, even if an earlier bisection of the same was interrupted",
    commands: ["bisect"],
  },
  "--from <version>": {
    help: "the first release, such as 2.4 (required)",
    commands: ["releases"],
  },
  "--to <version>": {
    help: "the last release, such as 2.9",
    commands: ["releases"],
    fallbackText: "the newest",
  },
  "--each <part>": {
    help: "take the newest release of each major or minor version, or every patch",
    commands: ["releases"],
    choices: EACH,
    fallback: "minor",
  },
  "--fail-on <limits>": {
    help: {
      else: "exit with 1 if a slowdown is proven to exceed this, such as 5%",
      versus:
        "exit with 1 if a slowdown or a cost is proven to exceed this, such as 5% or 5%,memory=10%",
      bisect: "search only for a slowdown that is proven to exceed this, such as 3%",
    },
    commands: ["compare", "versus", "bisect"],
    parse: limits,
  },
  "--strict": {
    help: "with --fail-on: exit with 3 if such a slowdown is neither proven nor excluded",
    commands: ["compare", "versus"],
  },
  "--no-counts": {
    help: "do not count system calls, bytes and others",
    commands: ["versus"],
  },
  "--profile": {
    help:
      "profile both sides at every scenario, and name the functions that changed; by default only where a change is proven",
    commands: ["versus"],
  },
  "--no-profile": { help: "do not profile", commands: ["versus"] },
  "--noise <file>": {
    help: "report of the noise command: changes must exceed its noise floor; none: use no report",
    commands: ["compare", "versus", "releases"],
    fallbackText:
      "the newest one of this machine in results/; for windows, of the same load generator",
  },
  "--force": {
    help: "compare even if machine, software, load or requests differ, or other programs were busy",
    commands: ["compare"],
  },
};
