/** Checks of files and streams in the contract of the servers (docs/contract.md). */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { get } from "../../scenarios/expect.ts";
import { FILE, staticFile } from "../../scenarios/web/static.ts";
import { eventsText, stream } from "../../scenarios/web/stream.ts";
import { messageOf, Mismatch } from "../model/errors.ts";
import { LONGEST_BODY, tooLong } from "../model/scenario.ts";
import {
  type ConformanceCheck,
  type Context,
  implementing,
  readResponse,
  wireText,
} from "./http.ts";
import { Wire, wish } from "./wire.ts";

/** Number of events, and milliseconds between two of them, in the check of a stream. */
const [EVENTS, WAIT_MS] = [4, 150];

export const WEB_CHECKS: readonly ConformanceCheck[] = [
  {
    id: "static-codings",
    name: "compresses files only for clients that accept it",
    applies: implementing(staticFile.id),
    async run(context): Promise<void> {
      const plain = await download(context, "identity");
      if (plain.coding !== null) throw new Mismatch("the file as it is", plain.coding);
      for (const wanted of ["gzip", "br", "gzip, br"]) {
        const { coding, vary, text } = await download(context, wanted);
        if (text !== plain.text) throw new Mismatch(`the file, as ${coding}`, "something else");
        if (coding === null) continue; // compression is optional
        if (!wanted.includes(coding)) throw new Mismatch(`the coding ${wanted}`, coding);
        if (!/(^|,)\s*(accept-encoding|\*)\s*(,|$)/i.test(vary)) {
          throw new Mismatch("Vary: Accept-Encoding", vary || "none");
        }
      }
    },
  },
  {
    id: "static-inside",
    name: "serves no file from another folder",
    applies: implementing(staticFile.id),
    async run({ ask }): Promise<void> {
      const paths = ["..%2fhello.html", "%2e%2e/hello.html", "..%5chello.html", "../hello.html"];
      for (const path of paths) {
        const { status } = await ask(get(`/static/${path}`));
        if (status >= 300 && status < 500) continue;
        throw new Mismatch(`no file for ${path}`, `status ${status}`);
      }
    },
  },
  {
    id: "stream-one-by-one",
    name: "sends each event when it is due",
    applies: implementing(stream.id),
    async run({ origin, abort }): Promise<void> {
      using wire = await Wire.open(origin, abort);
      const path = `/stream?events=${EVENTS}&ms=${WAIT_MS}`;
      await wire.write(wireText(get(path), { connection: "close" }));
      const events = eventsText(EVENTS).split("\n\n").slice(0, -1);
      let last = 0;
      for (const [i, event] of events.entries()) {
        await wire.readTo(event, wish(`event ${i + 1}`));
        const ms = performance.now();
        // Half of the time, because a late event may be followed by the next one soon
        if (i > 1 && ms - last < WAIT_MS / 2) {
          throw new Mismatch(`${WAIT_MS} ms between events`, `${Math.round(ms - last)} ms`);
        }
        last = ms;
      }
    },
  },
];

async function download(
  { origin, abort }: Context,
  wanted: string,
): Promise<{ coding: string | null; vary: string; text: string }> {
  using wire = await Wire.open(origin, abort);
  const headers = { ...FILE.headers, "accept-encoding": wanted };
  await wire.write(wireText({ ...FILE, headers }, { connection: "close" }));
  const { status, headers: got, body } = await readResponse(wire, "the file");
  if (status !== 200) throw new Mismatch("status 200", String(status));
  const coding = got.get("content-encoding");
  const text = new TextDecoder().decode(expanded(body, coding));
  return { coding, vary: got.get("vary") ?? "", text };
}

/** Decompresses a body. Throws a `Mismatch` if it has another coding or expands beyond 64 MiB. */
export function expanded(body: Uint8Array, coding: string | null): Uint8Array {
  if (coding === null) return body;
  const decode = new Map([["br", brotliDecompressSync], ["gzip", gunzipSync]]).get(coding);
  if (decode === undefined) throw new Mismatch("gzip or br", coding);
  try {
    return decode(body, { maxOutputLength: LONGEST_BODY });
  } catch (error) {
    if (error instanceof RangeError) throw tooLong();
    throw new Mismatch(`a body that is coded as ${coding}`, messageOf(error));
  }
}
