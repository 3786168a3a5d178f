/**
 * A worker that behaves as its message says: it answers, throws, rejects, says nothing, or closes
 * itself.
 */
const worker = self as unknown as DedicatedWorkerGlobalScope;

worker.onmessage = ({ data }: MessageEvent<string>): void => {
  if (data === "throw") throw new Error("told to");
  if (data === "reject") Promise.reject(new Error("told to"));
  if (data === "close") worker.close();
  if (data === "answer") worker.postMessage("a response");
};
