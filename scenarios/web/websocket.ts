import { Mismatch } from "../../src/model/errors.ts";
import type { Scenario } from "../../src/model/scenario.ts";
import { get } from "../expect.ts";
import { USUAL } from "../usual.ts";
import { echoed } from "./echo.ts";

const request = get("/echo");
/**
 * Number of messages. If a server loses one message in 200, the check finds that with a probability
 * above 0.999.
 */
const MESSAGES = 2000;
/** Size of the largest message in bytes, by the contract. */
const LONGEST = 65_536;

/** Messages that the server echoes. */
export const websocket: Scenario = {
  ...USUAL,
  id: "websocket",
  title: "WebSocket messages that the server echoes",
  request,
  protocol: "websocket",
  checks: [
    {
      name: `echoes ${MESSAGES} messages in their order`,
      async run(_ask, _facts, origin, client): Promise<void> {
        const sent = Array.from({ length: MESSAGES }, (_, i) => `message ${i}`);
        await expectEchoes(origin, sent, client);
      },
    },
    {
      name: "echoes bytes, long messages and an empty one",
      async run(_ask, _facts, origin, client): Promise<void> {
        const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
        await expectEchoes(
          origin,
          [bytes, "é".repeat(LONGEST / 2), new Uint8Array(LONGEST), ""],
          client,
        );
      },
    },
  ],
  expect: () => {},
  underLoad: "any",
  isDefault: false,
};

async function expectEchoes(
  origin: string,
  sent: readonly (string | Uint8Array<ArrayBuffer>)[],
  client?: Deno.HttpClient,
): Promise<void> {
  const got = await echoed(origin + request.path, sent, client);
  sent.forEach((message, i) => {
    if (isSame(message, got[i])) return;
    throw new Mismatch(`message ${i + 1} of ${sent.length}: ${said(message)}`, said(got[i]));
  });
}

function isSame(a: string | Uint8Array, b: string | Uint8Array | undefined): boolean {
  if (typeof a === "string" || b === undefined || typeof b === "string") return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function said(message: string | Uint8Array | undefined): string {
  if (message === undefined) return "nothing";
  if (typeof message !== "string") return `${message.length} bytes`;
  return message.length > 40 ? `${message.length} characters` : JSON.stringify(message);
}
