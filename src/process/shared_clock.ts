const UPTIME = "/proc/uptime";

/**
 * Milliseconds on a clock that all processes of this machine share and nobody sets: since it started, in
 * steps of 10 ms (https://man7.org/linux/man-pages/man5/proc_uptime.5.html). Where the system does not
 * tell that, since 1970.
 */
export function sharedNow(): number {
  try {
    return 1000 * Number.parseFloat(Deno.readTextFileSync(UPTIME));
  } catch {
    return Date.now();
  }
}
