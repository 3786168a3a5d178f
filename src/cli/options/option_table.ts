import type { OptionSpec } from "./option_spec.ts";
import { GATE_OPTIONS } from "./gate_options.ts";
import { LOAD_OPTIONS } from "./load_options.ts";
import { DISTRIBUTED_OPTIONS } from "./distributed_options.ts";
import { DEBUG_OPTION, OUTPUT_OPTIONS } from "./output_options.ts";
import { DATABASE_OPTIONS, MACHINE_OPTIONS } from "./server_options.ts";
import { WORKLOAD_OPTIONS } from "./workload_options.ts";

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
