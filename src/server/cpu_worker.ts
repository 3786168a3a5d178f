/**
 * A Web Worker that receives a limit, and replies with the primes up to it as encoded JSON. The bytes
 * are transferred, not copied.
 */
import { primesJson } from "./sieve.ts";

const worker = self as unknown as DedicatedWorkerGlobalScope;

worker.onmessage = ({ data: limit }: MessageEvent<number>): void => {
  const bytes = primesJson(limit);
  worker.postMessage(bytes, [bytes.buffer]);
};
