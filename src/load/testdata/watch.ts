/** Watches test servers with a probe. */
import type { HttpResponse } from "../../model/scenario.ts";
import type { ProbeRecord } from "../../model/raw.ts";
import { freePort } from "../../process/free_port.ts";
import { Metronome } from "../metronome.ts";
import { Probe } from "../probe.ts";
import { TestClock } from "./clock.ts";
import { serve, sleep, type TestHandler, until, within } from "./testing.ts";

const REQUEST = { method: "POST", path: "/x", headers: { "x-foo": "bar" }, body: "ping" } as const;

/** A server that is slower than the schedule never catches up with it. */
const HOPELESS_MS = 500;

/** How a window is watched. */
export interface Watch {
  readonly expect: (response: HttpResponse) => void;
  readonly warmupMs: number;
  readonly windowMs: number;
  readonly opens: () => void;
  readonly closed: () => void;
}

/** A server that takes as long as it says, by the clock of a test; it may never answer. */
export type Clocked = (clock: TestClock) => TestHandler;

/**
 * Watches a server through a warm-up and a window, on a clock that stands still while real requests
 * are under way: whatever the machine does meanwhile, the times are those that the server took.
 *
 * @param server null: one that is not there.
 * @param hangs whether it answers no more, so that nobody waits for that.
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

/** Watches a server through a warm-up and a window in real time. */
export async function watch(
  handler: TestHandler,
  { expect = () => {}, warmupMs = 400, windowMs = 600, ...how }: Partial<Watch> = {},
): Promise<ProbeRecord> {
  await using server = serve(handler);
  const origin = `http://127.0.0.1:${server.port}`;
  using metronome = new Metronome();
  await within(new Promise((resolve) => metronome.start({ kind: "even", gapMs: 1 }, resolve))); // its thread is loaded now
  using probe = new Probe(metronome, { origin, request: REQUEST, expect });
  await sleep(warmupMs);
  how.opens?.();
  probe.open();
  await sleep(windowMs);
  probe.close();
  how.closed?.();
  return probe.record;
}
