import { createHash } from "node:crypto";
import { median } from "../stats/median.ts";

const BYTES = new Uint8Array(1 << 20);
const REPEATS = 9;

/**
 * How long a fixed piece of work takes one thread of this machine now, in microseconds: SHA-256 of a
 * mebibyte, the median of nine. Two runs between which it differs had machines of different speed,
 * even if it is the same machine: a shared host, a laptop that got hot. Blocks for some 10 ms.
 */
export function referenceUs(): number {
  return median(Array.from({ length: REPEATS }, () => {
    const startedMs = performance.now();
    createHash("sha256").update(BYTES).digest();
    return 1000 * (performance.now() - startedMs);
  }));
}
