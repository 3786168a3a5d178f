import { ok, strictEqual } from "node:assert/strict";
import { MAX_MESSAGE_BYTES, MAX_UNSENT_BYTES, MAX_UNSENT_MESSAGES } from "./limits.ts";
import { Unsent } from "./unsent.ts";

/**
 * Adds messages until one is refused.
 *
 * @param staysBuffered maximum number of bytes that stay buffered
 * @returns the number of messages.
 */
function untilTooMany(bytes: number, staysBuffered: number, most = 100_000): number {
  const socket = { bufferedAmount: 0 };
  const unsent = new Unsent(socket);
  for (let count = 1; count <= most; count++) {
    if (unsent.add(bytes)) return count;
    socket.bufferedAmount = Math.min(socket.bufferedAmount + bytes, staysBuffered);
  }
  return Infinity;
}

Deno.test("a client that reads may send for ever", () => {
  for (const bytes of [1, 100, MAX_MESSAGE_BYTES]) strictEqual(untilTooMany(bytes, 0), Infinity);
  strictEqual(untilTooMany(100, 100_000), Infinity, "a thousand messages are always under way");
});

Deno.test("a client that does not read has a limit of bytes, and one of messages", () => {
  strictEqual(
    untilTooMany(MAX_MESSAGE_BYTES, Infinity),
    MAX_UNSENT_BYTES / MAX_MESSAGE_BYTES + 1,
  );
  strictEqual(untilTooMany(1, Infinity), MAX_UNSENT_MESSAGES + 1);
});

Deno.test("empty messages count until a longer one that follows them is sent", () => {
  strictEqual(untilTooMany(0, 0), MAX_UNSENT_MESSAGES + 1);
  const unsent = new Unsent({ bufferedAmount: 0 });
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < MAX_UNSENT_MESSAGES / 4; i++) ok(!unsent.add(0));
    ok(!unsent.add(5));
  }
});
