import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

const file = new URL("./primes_worker.js", import.meta.url);
const threads = Number(process.env.CPU_WORKERS ?? availableParallelism());
const idle = Array.from({ length: threads }, () => new Worker(file));
const waiting = [];

/** The answer of /primes as bytes, computed by the next thread that is free. */
export function primes(limit) {
  return new Promise((resolve) => {
    waiting.push({ limit, resolve });
    next();
  });
}

function next() {
  if (idle.length === 0 || waiting.length === 0) return;
  const worker = idle.pop();
  const { limit, resolve } = waiting.shift();
  worker.once("message", (bytes) => {
    idle.push(worker);
    resolve(bytes);
    next();
  });
  worker.postMessage(limit);
}
