import type { Finding } from "../model/report.ts";
import { ok, unknown, warn } from "./finding.ts";

/** Above this ratio, windows measure waking more than work. */
const DEAR = 1.5;

/**
 * What it costs on this machine to wake a program that waits.
 *
 * @param measured how long a single message and its response take, in microseconds, and the same while
 * processors are kept awake; null where they cannot be; or why that could not be measured
 */
export function wakeUps(
  measured: { readonly asleepUs: number; readonly awakeUs: number | null } | string,
): Finding {
  const name = "wake-ups";
  if (typeof measured === "string") return { name, ...unknown(measured) };
  const { asleepUs, awakeUs } = measured;
  const found = `a message after a silence and its response take ${Math.round(asleepUs)} µs${
    awakeUs === null ? "" : `, and ${Math.round(awakeUs)} µs where processors are kept awake`
  }`;
  const isDear = awakeUs !== null && asleepUs > DEAR * awakeUs;
  const advice = "Windows pay for that each time a program waits, slices do not: " +
    "believe cost and ratios rather than Req/Sec and CPU/req";
  return { name, ...(isDear ? warn(found, advice) : ok(found)) };
}
