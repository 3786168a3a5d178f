/** A Web Worker: gets a limit, answers with the primes as encoded JSON, moved rather than copied. */
import { primesJson } from "./sieve.ts";

const worker = self as unknown as DedicatedWorkerGlobalScope;

worker.onmessage = ({ data: limit }: MessageEvent<number>): void => {
  const bytes = primesJson(limit);
  worker.postMessage(bytes, [bytes.buffer]);
};
