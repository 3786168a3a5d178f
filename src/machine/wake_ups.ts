import type { Finding } from "../model/report.ts";
import { ok, unknown, warn } from "./finding.ts";

/**
 * Maximum ratio of two times for a message and its response: if processors may sleep, and if they stay awake.
 * At this ratio, waking takes a third of the first time. Above it, the waking of programs is a large part of
 * what windows measure.
 */
const TOO_SLOW = 1.5;

/**
 * Judges how long this machine takes to wake a waiting program.
 *
 * @param measured microseconds for a message and its response: `asleepUs` if processors may sleep, `awakeUs`
 *   if they are kept awake. `awakeUs` is null if they cannot be kept awake. If nothing was measured,
 *   `measured` is a text that says why.
 */
export function wakeUps(
  measured: { readonly asleepUs: number; readonly awakeUs: number | null } | string,
): Finding {
  const name = "wake-ups";
  if (typeof measured === "string") return { name, ...unknown(measured) };
  const { asleepUs, awakeUs } = measured;
  const found = `a message after a silence and its response take ${Math.round(asleepUs)} µs${
    awakeUs === null ? "" : `, and ${Math.round(awakeUs)} µs if processors are kept awake`
  }`;
  const isSlow = awakeUs !== null && asleepUs > TOO_SLOW * awakeUs;
  const advice = "Windows include this time after each wait, slices do not: " +
    "trust Rel. CPU and ratios more than Req/Sec and CPU/req";
  return { name, ...(isSlow ? warn(found, advice) : ok(found)) };
}
