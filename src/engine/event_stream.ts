/** Hands a value over; settles when it has been dealt with. */
export type Emit<T> = (value: T) => Promise<void>;

/**
 * What a piece of work tells, one value after the other. `emit` settles when the loop over the stream
 * comes back for the next value, so that nothing is measured while a report is being written. Leaving
 * the loop early aborts the work, and waits until it has ended.
 *
 * @param signal aborts the work, which then throws its reason.
 * @throws what the work throws, after everything that it has told.
 */
export async function* stream<T>(
  signal: AbortSignal,
  work: (emit: Emit<T>, signal: AbortSignal) => Promise<void>,
): AsyncGenerator<T, void> {
  const left = new AbortController();
  const waiting: { readonly value: T; readonly taken: () => void }[] = [];
  let wake = Promise.withResolvers<void>();
  let hasEnded = false;
  const emit = (value: T): Promise<void> => {
    if (left.signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ value, taken: resolve });
    wake.resolve();
    return promise;
  };
  const working = work(emit, AbortSignal.any([signal, left.signal])).finally(() => {
    hasEnded = true;
    wake.resolve();
  });
  working.catch(() => {}); // it is thrown below, once all has been told
  try {
    while (!hasEnded || waiting.length > 0) {
      const [next] = waiting;
      if (next === undefined) {
        await wake.promise;
        wake = Promise.withResolvers();
        continue;
      }
      yield next.value;
      waiting.shift()?.taken();
    }
  } finally {
    left.abort(new Error("Nothing is told any more"));
    for (const { taken } of waiting) taken();
    await working.catch(() => {});
  }
  await working;
}
