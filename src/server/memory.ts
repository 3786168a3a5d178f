import { COLLECT_PAUSE_MS, MAX_NATIVE_BYTES, MEMORY_PAUSE_MS, WORKER_BYTES } from "./limits.ts";

/**
 * Looks at the process's memory from time to time, and calls back when more than
 * {@linkcode MAX_NATIVE_BYTES} of it is Deno's own. That is what clients have sent and no handler has
 * got: only their connections can be blamed for it, and no handler knows which.
 *
 * @param workers how many threads have a heap besides this one
 * @param onTooMuch gets the number of bytes
 */
export function watchMemory(workers: number, onTooMuch: (bytes: number) => void): void {
  const limit = MAX_NATIVE_BYTES + workers * WORKER_BYTES;
  const timer = setInterval(() => {
    const { rss, heapTotal, external } = Deno.memoryUsage();
    const native = rss - heapTotal - external;
    if (native > limit) onTooMuch(native);
  }, MEMORY_PAUSE_MS);
  Deno.unrefTimer(timer);
}

let collecting: ReturnType<typeof setTimeout> | null = null;

/** Collects garbage in a while: V8 alone would keep a large message until its heap is in use again. */
export function collectSoon(): void {
  collecting ??= setTimeout(async () => {
    // Loaded here, since they would make every start slower
    const { setFlagsFromString } = await import("node:v8");
    const { runInNewContext } = await import("node:vm");
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
    collecting = null;
  }, COLLECT_PAUSE_MS);
}
