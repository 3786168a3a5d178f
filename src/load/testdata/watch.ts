/** Helpers that run a probe against test servers. */
import type { HttpResponse } from "../../model/scenario.ts";
import type { ProbeRecord } from "../../model/raw.ts";
import { freePort } from "../../process/connect.ts";
import { Metronome } from "../metronome.ts";
import { Probe } from "../probe.ts";
import { TestClock } from "./clock.ts";
import { serve, sleep, type TestHandler, until, within } from "./testing.ts";

const REQUEST = { method: "POST", path: "/x", headers: { "x-foo": "bar" }, body: "ping" } as const;

/** Response time in milliseconds with which a server is always slower than the probe's schedule. */
const HOPELESS_MS = 500;

/** Options of a probed window. */
export interface Watch {
  readonly expect: (response: HttpResponse) => void;
  readonly warmupMs: number;
  readonly windowMs: number;
  readonly opens: () => void;
  readonly closed: () => void;
}

/** A server with response times on the clock of a test. It may never answer. */
export type Clocked = (clock: TestClock) => TestHandler;

/**
 * Probes a server through a warm-up and a window, on a clock that stops while real requests are in
 * flight. The times are therefore those of the server, whatever else the machine does.
 *
 * @param server null: nothing listens
 * @param hangs whether the server stops answering, so that the test does not wait for it
 */
export async function watchByClock(
  server: Clocked | null,
  { expect = () => {}, warmupMs = 400, windowMs = 600, ...how }: Partial<Watch> & {
    readonly hangs?: () => boolean;
  } = {},
): Promise<ProbeRecord> {
  const clock = new TestClock();
  await using served = server && serve(server(clock));
  const origin = `http://127.0.0.1:${served?.port ?? freePort()}`;
  using probe = new Probe(clock, { origin, request: REQUEST, expect, clock: clock.now });
  const goOn = async (ms: number): Promise<void> => {
    const end = clock.now() + ms;
    while (clock.now() < end) {
      clock.advanceToTick(end);
      const isSettled = (): boolean => {
        const { absence, allResponses } = probe.record;
        const isAway = absence !== null || how.hangs?.() === true;
        return isAway || clock.now() > end + HOPELESS_MS || allResponses === clock.ticks;
      };
      await until(isSettled);
    }
  };
  await goOn(warmupMs);
  how.opens?.();
  probe.open();
  await goOn(windowMs);
  probe.close();
  how.closed?.();
  return probe.record;
}

/** Probes a server through a warm-up and a window in real time. */
export async function watch(
  handler: TestHandler,
  { expect = () => {}, warmupMs = 400, windowMs = 600, ...how }: Partial<Watch> = {},
): Promise<ProbeRecord> {
  await using server = serve(handler);
  const origin = `http://127.0.0.1:${server.port}`;
  using metronome = new Metronome();
  // its thread is loaded now
  await within(new Promise((resolve) => metronome.start({ kind: "even", gapMs: 1 }, resolve)));
  using probe = new Probe(metronome, { origin, request: REQUEST, expect });
  await sleep(warmupMs);
  how.opens?.();
  probe.open();
  await sleep(windowMs);
  probe.close();
  how.closed?.();
  return probe.record;
}
