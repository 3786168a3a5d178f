import { createProgress, type Progress } from "../view/progress.ts";
import type { Screen } from "../view/terminal.ts";

const LOG_COLUMNS = 200;
/** What a file shows. */
export const FILE: Screen = { columns: LOG_COLUMNS, styled: false };

/** What standard output shows: a file or a pipe is as wide as it needs to be, and plain. */
export function screenOf(): Screen {
  const isTerminal = Deno.stdout.isTerminal();
  return {
    columns: isTerminal ? terminalColumns() : LOG_COLUMNS,
    styled: isTerminal && !Deno.noColor,
  };
}

/** Progress on standard error, of a run with so many servers. */
export function progressOf(targets: number): Progress {
  return createProgress({
    write: (text) => Deno.stderr.writeSync(new TextEncoder().encode(text)),
    columns: Deno.stderr.isTerminal() ? terminalColumns() : null,
    targets,
  });
}

/** How wide the terminal is; one that does not know counts as wide. */
function terminalColumns(): number {
  try {
    return Deno.consoleSize().columns || LOG_COLUMNS;
  } catch {
    return LOG_COLUMNS;
  }
}
