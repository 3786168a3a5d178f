/** Passes a value to the consumer and settles after the consumer has handled it. */
export type Emit<T> = (value: T) => Promise<void>;

/**
 * Yields the events that a task emits. `emit` settles when the consumer asks for the next event, so nothing
 * is measured while a report is written. If the consumer leaves the loop early, the task is aborted and
 * awaited.
 *
 * @param signal aborts the task, which then throws the signal's reason
 * @throws the error of the task, after all of its events.
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
  working.catch(() => {}); // thrown below, after the last event
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
    left.abort(new Error("The consumer stopped reading events"));
    for (const { taken } of waiting) taken();
    await working.catch(() => {});
  }
  await working;
}
