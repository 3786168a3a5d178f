import { primes } from "../shared/primes.ts";

declare const self: Worker;

const encoder = new TextEncoder();

self.onmessage = ({ data: limit }: MessageEvent<number>) => {
  const body = encoder.encode(JSON.stringify({ numbers: primes(limit), from: "bun" }));
  self.postMessage(body, [body.buffer]);
};
