import { parentPort } from "node:worker_threads";
import { primes } from "../shared/primes.js";

const encoder = new TextEncoder();

parentPort.on("message", (limit) => {
  const bytes = encoder.encode(JSON.stringify({ numbers: primes(limit), from: "node:http" }));
  parentPort.postMessage(bytes, [bytes.buffer]);
});
