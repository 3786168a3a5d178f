import { COLLECT_PAUSE_MS, MAX_NATIVE_BYTES, MEMORY_PAUSE_MS, WORKER_BYTES } from "./limits.ts";

/**
 * Checks the memory of the process every {@linkcode MEMORY_PAUSE_MS}. Calls back if the part outside
 * JavaScript's heap exceeds {@linkcode MAX_NATIVE_BYTES} plus {@linkcode WORKER_BYTES} for each
 * worker.
 *
 * That memory is data from clients which no handler has received, so no handler knows which connection
 * is responsible.
 *
 * @param workers number of additional threads with a heap
 * @param onTooMuch receives the number of bytes outside the heap
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

/**
 * Collects garbage after {@linkcode COLLECT_PAUSE_MS}. Otherwise V8 keeps a large message until its
 * heap is used again.
 */
export function collectSoon(): void {
  collecting ??= setTimeout(async () => {
    // Loaded here, because these modules would make every start slower
    const { setFlagsFromString } = await import("node:v8");
    const { runInNewContext } = await import("node:vm");
    setFlagsFromString("--expose-gc");
    runInNewContext("gc")();
    collecting = null;
  }, COLLECT_PAUSE_MS);
}
