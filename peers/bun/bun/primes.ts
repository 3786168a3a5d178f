import { availableParallelism } from "node:os";
import { env } from "node:process";

const threads = Number(env.CPU_WORKERS ?? availableParallelism());
const file = new URL("./primes_worker.ts", import.meta.url);
const idle = Array.from({ length: threads }, () => new Worker(file));
const waiting: { limit: number; resolve: (body: Uint8Array<ArrayBuffer>) => void }[] = [];

/** Returns the response of /primes as JSON, computed by the next thread that is free. */
export function primes(limit: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve) => {
    waiting.push({ limit, resolve });
    next();
  });
}

function next(): void {
  const worker = waiting.length === 0 ? undefined : idle.pop();
  const job = worker && waiting.shift();
  if (job === undefined) return;
  worker.onmessage = ({ data }) => {
    idle.push(worker);
    job.resolve(data);
    next();
  };
  worker.postMessage(job.limit);
}
