/** The exit codes as text, for help and for the reference. */
import { hanging } from "../view/wrap.ts";
import { EXIT_CODES } from "../model/exit_codes.ts";

/** Returns the exit codes for help, in lines of at most 80 columns. */
export function exitCodesHelp(): string {
  const lines = EXIT_CODES.flatMap(([code, says]) =>
    hanging(`  ${String(code).padEnd(3)}  `, says, 80)
  );
  return ["Exit codes:", ...lines].join("\n");
}

/** Returns the exit codes as a Markdown table. */
export function exitCodesTable(): string {
  const rows = EXIT_CODES.map(([code, says]) =>
    `| ${code} | ${says.replaceAll(/--[a-z-]+|\bserve\b/g, "`$&`")} |`
  );
  return ["| code | says |", "|---:|---|", ...rows].join("\n");
}
