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
  task: (emit: Emit<T>, signal: AbortSignal) => Promise<void>,
): AsyncGenerator<T, void> {
  const abandoned = new AbortController();
  const queue: { readonly value: T; readonly handled: () => void }[] = [];
  let wake = Promise.withResolvers<void>();
  let isDone = false;
  const emit = (value: T): Promise<void> => {
    if (abandoned.signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push({ value, handled: resolve });
    wake.resolve();
    return promise;
  };
  const running = task(emit, AbortSignal.any([signal, abandoned.signal])).finally(() => {
    isDone = true;
    wake.resolve();
  });
  running.catch(() => {}); // thrown below, after the last event
  try {
    while (!isDone || queue.length > 0) {
      const [next] = queue;
      if (next === undefined) {
        await wake.promise;
        wake = Promise.withResolvers();
        continue;
      }
      yield next.value;
      queue.shift()?.handled();
    }
  } finally {
    abandoned.abort(new Error("The consumer stopped reading events"));
    for (const { handled } of queue) handled();
    await running.catch(() => {});
  }
  await running;
}
