import { createHash } from "node:crypto";
import { median } from "../stats/median.ts";

const BYTES = new Uint8Array(1 << 20);
const REPEATS = 9;

/**
 * Returns the time for a fixed piece of work on one thread, in microseconds: SHA-256 of a mebibyte,
 * median of nine.
 *
 * If it differs between two runs, so did the speed of the processor. That happens even on one
 * machine, for example on a shared host or a hot laptop. Blocks for about 10 ms.
 */
export function referenceUs(): number {
  return median(Array.from({ length: REPEATS }, () => {
    const startedMs = performance.now();
    createHash("sha256").update(BYTES).digest();
    return 1000 * (performance.now() - startedMs);
  }));
}
