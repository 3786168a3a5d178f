import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

export const MOST_BYTES = 1_000_000;

/** What an upload is answered. */
export function digestOf(bytes) {
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** What an upload is answered that is hashed while it arrives; null if it is too large. */
export async function digestOfStream(body) {
  const hash = createHash("sha256");
  let bytes = 0;
  // A body that is too large is read to its end as well: to leave the loop closes the connection
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes <= MOST_BYTES) hash.update(chunk);
  }
  return bytes > MOST_BYTES ? null : { bytes, sha256: hash.digest("hex") };
}

/** Server-sent events, one after the other. */
export async function* events(count, ms) {
  for (let i = 1; i <= count; i++) {
    if (ms > 0 && i > 1) await sleep(ms);
    yield `data: ${i}\n\n`;
  }
}

/** Sends each message of a WebSocket back as it came. */
export function echo(socket) {
  socket.on("error", () => socket.terminate());
  socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary }));
}
