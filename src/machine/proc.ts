/**
 * Parsers of files in /proc. Each of them returns null if the value is missing.
 * https://man7.org/linux/man-pages/man5/proc.5.html
 */
import type { MachineFacts } from "./facts.ts";
import { parseCpuList, parseNumber } from "./quota.ts";

/** Returns the logical CPUs that a process may use, from `/proc/PID/status`. */
export function parseAllowedCpus(status: string): number[] | null {
  return parseCpuList(status.match(/^Cpus_allowed_list:(.*)$/m)?.[1] ?? "");
}

/** Returns the soft limit of open files, from `/proc/PID/limits`. */
export function parseOpenFiles(limits: string): number | "unlimited" | null {
  const [, soft] = limits.match(/^Max open files +(\d+|unlimited) /m) ?? [];
  return soft === "unlimited" ? soft : parseNumber(soft);
}

/** Returns whether a hypervisor runs this machine, from `/proc/cpuinfo`, where x86 has a flag. */
export function parseHypervisor(cpuinfo: string): boolean | null {
  const [, flags] = cpuinfo.match(/^flags\s*:(.*)$/m) ?? [];
  return flags === undefined ? null : /\bhypervisor\b/.test(flags);
}

/** Returns the share of CPU time since boot that the host took, from `/proc/stat`. */
export function parseStealShare(stat: string): number | null {
  const [, line = ""] = stat.match(/^cpu +(.*)$/m) ?? [];
  // user, nice, system, idle, iowait, irq, softirq, steal; the later fields are part of user and nice.
  const times = line.split(" ").map(Number).slice(0, 8);
  const steal = times[7];
  const total = times.reduce((sum, time) => sum + time, 0);
  return steal === undefined || !(total > 0) ? null : parseNumber(steal / total);
}

/**
 * Returns the share of the last 10 s in which some task waited for a CPU, from
 * `/proc/pressure/cpu`.
 * https://docs.kernel.org/accounting/psi.html
 */
export function parsePressure(pressure: string): number | null {
  const [, percent] = pressure.match(/^some avg10=([\d.]+)/m) ?? [];
  const share = parseNumber(percent);
  return share === null ? null : share / 100;
}

/** Returns the number of TCP sockets in TIME_WAIT, from `/proc/net/sockstat`. */
export function parseTimeWait(sockstat: string): number | null {
  return parseCount(sockstat.match(/^TCP:.* tw (\d+)/m)?.[1] ?? "");
}

/** Returns the ports for outgoing connections, from `/proc/sys/net/ipv4/ip_local_port_range`. */
export function parsePortRange(text: string): MachineFacts["portRange"] {
  const [first = null, last = null] = (text.match(/^(\d+)\s+(\d+)\s*$/) ?? []).slice(1)
    .map(parseNumber);
  return first === null || last === null ? null : { first, last };
}

/** Parses a text that contains one number and nothing else. */
export function parseCount(text: string): number | null {
  return /^\d+\s*$/.test(text) ? parseNumber(text) : null;
}
