/** Options for costs apart from rates. */
import { InvalidArgumentError } from "commander";
import { COST_GROUPS, type CostGroup, LOADED_GROUPS, USUAL_GROUPS } from "../../model/costs.ts";
import type { OptionTable } from "./option_spec.ts";

function costs(text: string): readonly CostGroup[] {
  if (text === "all") return USUAL_GROUPS;
  if (text === "none") return [];
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => COST_GROUPS.some((group) => group === name))) {
    return COST_GROUPS.filter((group) => names.includes(group));
  }
  throw new InvalidArgumentError(`It must be some of ${COST_GROUPS.join(", ")}; or all, none.`);
}

export const OPTIONS_OF_COSTS: OptionTable = {
  "--measure <costs>": {
    help: {
      else: `costs to measure apart from rates, separated by commas: ${
        COST_GROUPS.filter((group) => !LOADED_GROUPS.includes(group)).join(", ")
      }; or all (without cold), none`,
      versus: `costs to measure apart from rates, separated by commas: ${
        COST_GROUPS.join(", ")
      }; or all (without cold), none`,
    },
    commands: ["run", "versus"],
    fallbackText: "none; for versus, those with a limit in --fail-on",
    parse: costs,
  },
  "--no-timing": {
    help: "measure no rates: only the costs that --measure names, and counts for versus",
    commands: ["run", "versus"],
  },
};
