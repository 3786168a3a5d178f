import type { Finding } from "../model/report.ts";
import { ok, unknown, warn } from "./finding.ts";

/** Ratio of both times above which windows measure waking more than work. */
const TOO_SLOW = 1.5;

/**
 * Judges how long it takes to wake a waiting program on this machine.
 *
 * @param measured the time of a message and its response in microseconds, and the same while processors
 *   are kept awake (null if they cannot be); or the reason why it could not be measured
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
