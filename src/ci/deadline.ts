/** Limits the time of processes that the action starts. */

/**
 * Waits for a process. After the timeout it is asked to stop, and later killed.
 *
 * @param timeoutMs milliseconds until it is asked to stop
 * @param graceMs further milliseconds until it is killed
 * @param onLate called once, at the timeout
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
