import type { OptionSpec } from "./spec.ts";
import { GATE_OPTIONS } from "./gate.ts";
import { LOAD_OPTIONS } from "./load.ts";
import { OUTPUT_OPTIONS } from "./output.ts";
import { SERVER_OPTIONS } from "./server.ts";
import { WORK_OPTIONS } from "./work.ts";

/** The one table of options: help, defaults, checks and .env.example all come from here. */
export const OPTIONS: readonly OptionSpec[] = [
  ...WORK_OPTIONS,
  ...LOAD_OPTIONS,
  ...SERVER_OPTIONS,
  ...OUTPUT_OPTIONS,
  ...GATE_OPTIONS,
];
