/** A Web Worker that receives a limit, and transfers the bytes of the JSON with its primes. */
import { primesJson } from "./sieve.ts";

const worker = self as unknown as DedicatedWorkerGlobalScope;

worker.onmessage = ({ data: limit }: MessageEvent<number>): void => {
  const bytes = primesJson(limit);
  worker.postMessage(bytes, [bytes.buffer]);
};
