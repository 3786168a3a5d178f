import type { Finding } from "../model/report.ts";
import { ok, warn } from "./finding.ts";

/** Beyond this, how often programs fall asleep says more than what they do. */
const DEAR = 1.5;

/**
 * What it costs on this machine to wake a program that waits.
 *
 * @param asleepUs how long a single message and its answer take, in microseconds
 * @param awakeUs the same while processors are kept awake; null where they cannot be
 */
export function wakeUps(
  { asleepUs, awakeUs }: { readonly asleepUs: number; readonly awakeUs: number | null },
): Finding {
  const found = `a message after a silence and its answer take ${Math.round(asleepUs)} µs${
    awakeUs === null ? "" : `, and ${Math.round(awakeUs)} µs where processors are kept awake`
  }`;
  const isDear = awakeUs !== null && asleepUs > DEAR * awakeUs;
  const advice = "Windows pay for that each time a program waits, slices do not: " +
    "believe cost and ratios rather than Req/Sec and CPU/req";
  return { name: "wake-ups", ...(isDear ? warn(found, advice) : ok(found)) };
}
