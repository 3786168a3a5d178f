import { readText } from "./files.ts";

/**
 * Returns milliseconds since the machine started, in steps of 10 ms; without /proc, since 1970. All
 * processes share this clock, and setting the time does not change it.
 * https://man7.org/linux/man-pages/man5/proc_uptime.5.html
 */
export function sharedNow(): number {
  const uptimeS = readText("/proc/uptime");
  return uptimeS === null ? Date.now() : 1000 * Number.parseFloat(uptimeS);
}
