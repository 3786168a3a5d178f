/** Watches test servers with a witness. */
import type { HttpAnswer } from "../../model/scenario.ts";
import type { WitnessRecord } from "../../model/raw.ts";
import { freePort } from "../../process/free_port.ts";
import { Metronome } from "../metronome.ts";
import { Witness } from "../witness.ts";
import { type Handler, serve, sleep, within } from "./testing.ts";

const REQUEST = { method: "POST", path: "/x", headers: { "x-foo": "bar" }, body: "ping" } as const;

/** How a window is watched. */
export interface Watch {
  readonly expect: (answer: HttpAnswer) => void;
  readonly warmupMs: number;
  readonly windowMs: number;
  readonly opens: () => void;
  readonly closed: () => void;
}

/** Watches a server through a warm-up and a window; null: one that is not there. */
export async function watch(
  handler: Handler | null,
  how: Partial<Watch> = {},
): Promise<WitnessRecord> {
  await using server = handler && serve(handler);
  const origin = `http://127.0.0.1:${server?.port ?? freePort()}`;
  const { expect = () => {}, warmupMs = 400, windowMs = 600 } = how;
  using metronome = new Metronome();
  await within(new Promise((resolve) => metronome.start(1, resolve))); // its thread is loaded now
  using witness = new Witness(metronome, { origin, request: REQUEST, expect });
  await sleep(warmupMs);
  how.opens?.();
  witness.open();
  await sleep(windowMs);
  witness.close();
  how.closed?.();
  return witness.record;
}

/** An empty answer, after a while. */
export async function after(ms: number): Promise<Response> {
  await sleep(ms);
  return new Response();
}
