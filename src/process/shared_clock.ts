/** File with the seconds since the start of the machine. */
const UPTIME = "/proc/uptime";

/**
 * Returns milliseconds since the machine started, in steps of 10 ms. All processes share this clock,
 * and setting the time does not change it.
 *
 * https://man7.org/linux/man-pages/man5/proc_uptime.5.html
 *
 * Without /proc it returns milliseconds since 1970.
 */
export function sharedNow(): number {
  try {
    return 1000 * Number.parseFloat(Deno.readTextFileSync(UPTIME));
  } catch {
    return Date.now();
  }
}
