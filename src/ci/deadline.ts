/** Processes that may take only so long. */

/**
 * Waits for a process; one that is late is told to stop, and killed if it does not.
 *
 * @param timeoutMs after so many milliseconds it is late
 * @param graceMs so many milliseconds it may then take to stop
 * @param onLate hears of it once
 * @returns its exit code
 */
export async function endInTime(
  process: Deno.ChildProcess,
  { timeoutMs, graceMs }: { readonly timeoutMs: number; readonly graceMs: number },
  onLate: () => void,
): Promise<number> {
  const stop = setTimeout(() => {
    onLate();
    process.kill("SIGTERM");
  }, timeoutMs);
  const kill = setTimeout(() => process.kill("SIGKILL"), timeoutMs + graceMs);
  try {
    return (await process.status).code;
  } finally {
    clearTimeout(stop);
    clearTimeout(kill);
  }
}
