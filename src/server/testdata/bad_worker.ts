/** A worker that does what it is told: answer, throw, reject, say nothing, or close itself. */
const worker = self as unknown as DedicatedWorkerGlobalScope;

worker.onmessage = ({ data }: MessageEvent<string>): void => {
  if (data === "throw") throw new Error("told to");
  if (data === "reject") Promise.reject(new Error("told to"));
  if (data === "close") worker.close();
  if (data === "answer") worker.postMessage("a response");
};
