import { ONE_BY_ONE } from "../../load/driver/load_client.ts";
import { ClosedLoop } from "../../load/driver/closed_loop.ts";
import type { FaultOutcome } from "../../model/fault.ts";
import type { Child } from "../../process/child.ts";
import type { Victim } from "./inject_faults.ts";
import { pause } from "../../process/pause.ts";

/** Scenarios that keep requests pending during SIGTERM, the slowest first. */
export const SLOW = ["delay", "hello", "primes", "sql2", "sql1", "json", "text"];
/** Maximum number of requests that are pending when SIGTERM is sent. */
const CONNECTIONS = 10;
/** Duration of the load before SIGTERM, in milliseconds. */
const LOADED_MS = 1000;
/** Time that a server gets to end before it is killed, in milliseconds. */
const GRACE_MS = 10_000;
/** Timeout of requests that are pending when SIGTERM is sent, in seconds. */
const TIMEOUT_S = 10;

/**
 * Sends SIGTERM to a server's process group while ten requests are pending, and counts their outcomes. No
 * request is sent after the signal.
 */
export async function terminate(
  { running, asked, most, signal }: Victim,
): Promise<FaultOutcome> {
  const connections = Math.min(CONNECTIONS, most);
  const failed: Record<string, number> = {};
  let [isEndRequested, requests] = [false, 0];
  const count = (what: string | null): void => {
    if (!isEndRequested) return;
    requests++;
    if (what !== null) failed[what] = (failed[what] ?? 0) + 1;
  };
  const { origin } = running;
  const options = { origin, request: asked.request, connections, timeoutS: TIMEOUT_S };
  using loop = new ClosedLoop({ ...options, ...ONE_BY_ONE, expected: null }, {
    answered: ({ status }) => count(status >= 200 && status < 300 ? null : String(status)),
    failed: (why) => count(why === "timeout" ? "late" : "nothing"),
    reconnected: () => {},
  });
  loop.start();
  await pause(LOADED_MS, signal);
  isEndRequested = true;
  const drained = loop.halt();
  const requestedMs = performance.now();
  const status = await (running.process as Child).stop(GRACE_MS);
  const tookS = (performance.now() - requestedMs) / 1000;
  await drained;
  const end = { code: status.code, signal: status.signal, tookS };
  return {
    kind: "done",
    scenario: asked.id,
    requests,
    failed,
    recoveryS: null,
    monitorLatenessS: 0,
    requestFlood: null,
    end,
  };
}
