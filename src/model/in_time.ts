/** Waits up to `ms` milliseconds. Throws `late` after that, or the reason of `abort` if it aborts. */
export async function inTime<T>(
  promise: Promise<T>,
  ms: number,
  late: Error,
  abort?: AbortSignal,
): Promise<T> {
  abort?.throwIfAborted();
  const { promise: never, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late), ms);
  const onAbort = (): void => reject(abort?.reason);
  abort?.addEventListener("abort", onAbort);
  try {
    return await Promise.race([promise, never]);
  } finally {
    clearTimeout(timer);
    abort?.removeEventListener("abort", onAbort);
  }
}
