import { hanging } from "../view/wrap.ts";
import { EXIT_CODES } from "../model/exit_codes.ts";

/** Returns the exit codes for help, in lines of at most 80 columns. */
export function exitCodesHelp(): string {
  const lines = EXIT_CODES.flatMap(([code, says]) =>
    hanging(`  ${String(code).padEnd(3)}  `, says, 80)
  );
  return ["Exit codes:", ...lines].join("\n");
}
