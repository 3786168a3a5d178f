/**
 * A Web Worker that requests `/` on new connections until a message stops it, and then
 * posts the longest response time, in ms. It is a separate thread, because the test that abuses the
 * server keeps its own event loop busy.
 */
const PAUSE_MS = 20;
const worker = self as unknown as DedicatedWorkerGlobalScope;

let worstMs = 0;
let isOn = true;

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

async function isRight(origin: string): Promise<boolean> {
  try {
    const response = await fetch(origin, { headers: { connection: "close" } });
    return await response.text() === "Hello world";
  } catch {
    return false;
  }
}

/** Each response time lasts until the response is right, however many requests that takes. */
async function ask(origin: string): Promise<void> {
  while (isOn) {
    const startMs = performance.now();
    while (!await isRight(origin)) await pause();
    worstMs = Math.max(worstMs, performance.now() - startMs);
    await pause();
  }
}

worker.onmessage = ({ data: origin }: MessageEvent<string>): void => {
  const asking = ask(origin);
  worker.onmessage = async (): Promise<void> => {
    isOn = false;
    await asking;
    worker.postMessage(worstMs);
  };
  worker.postMessage(0);
};
