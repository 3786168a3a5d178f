import type { OptionSpec } from "./option_spec.ts";
import { GATE_OPTIONS } from "./options_gate.ts";
import { LOAD_OPTIONS } from "./options_load.ts";
import { OUTPUT_OPTIONS } from "./options_output.ts";
import { SERVER_OPTIONS } from "./options_server.ts";
import { WORK_OPTIONS } from "./options_work.ts";

/** The one table of options: help, defaults, checks and .env.example all come from here. */
export const OPTIONS: readonly OptionSpec[] = [
  ...WORK_OPTIONS,
  ...LOAD_OPTIONS,
  ...SERVER_OPTIONS,
  ...OUTPUT_OPTIONS,
  ...GATE_OPTIONS,
];
