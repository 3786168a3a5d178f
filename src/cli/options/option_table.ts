import type { OptionSpec } from "./option_spec.ts";
import { GATE_OPTIONS } from "./gate_options.ts";
import { LOAD_OPTIONS } from "./load_options.ts";
import { DISTRIBUTED_OPTIONS } from "./distributed_options.ts";
import { DEBUG_OPTION, OUTPUT_OPTIONS } from "./output_options.ts";
import { SERVER_OPTIONS } from "./server_options.ts";
import { WORKLOAD_OPTIONS } from "./workload_options.ts";

type OptionGroup = readonly [heading: string, options: readonly OptionSpec[]];

/** The options by what they are about, as help groups them. */
export const OPTION_GROUPS: readonly [OptionGroup, ...OptionGroup[]] = [
  ["What is measured", WORKLOAD_OPTIONS],
  ["How it is loaded", LOAD_OPTIONS],
  ["Several load generators", DISTRIBUTED_OPTIONS],
  ["Servers and database", SERVER_OPTIONS],
  ["What comes out", OUTPUT_OPTIONS],
  ["Comparing", GATE_OPTIONS],
  ["Options", [DEBUG_OPTION]],
];

/** The one table of options: help, defaults, checks and .env.example all come from here. */
export const OPTIONS: readonly OptionSpec[] = OPTION_GROUPS.flatMap(([, options]) => options);
