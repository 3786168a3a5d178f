import { parentPort } from "node:worker_threads";

const encoder = new TextEncoder();

parentPort.on("message", (limit) => {
  const bytes = encoder.encode(JSON.stringify({ numbers: primes(limit), from: "node:http" }));
  parentPort.postMessage(bytes, [bytes.buffer]);
});

function primes(limit) {
  const composite = new Uint8Array(limit + 1);
  const numbers = [];
  for (let n = 2; n <= limit; n++) {
    if (composite[n]) continue;
    numbers.push(n);
    for (let multiple = n * n; multiple <= limit; multiple += n) composite[multiple] = 1;
  }
  return numbers;
}
