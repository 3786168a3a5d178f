import { parseNumber } from "./number.ts";

/** The control groups that limit the CPU time of a process. */
export interface CpuGroups {
  readonly version: 1 | 2;
  /** Folders of the groups, from the process's group up to the mounted root. Each folder may have a limit. */
  readonly folders: readonly string[];
}

/**
 * Finds the groups that control the CPU time of a process.
 *
 * https://man7.org/linux/man-pages/man7/cgroups.7.html
 *
 * @param groups text of `/proc/PID/cgroup`
 * @param mountinfo text of `/proc/PID/mountinfo`
 * @returns the groups; null if no hierarchy of groups is mounted.
 */
export function findCpuGroups(groups: string, mountinfo: string): CpuGroups | null {
  const mounts = mountinfo.split("\n").map(parseMount);
  // The controller belongs to one hierarchy at a time: to version 1 if that is mounted with it.
  const v1 = mounts.find((mount) => mount?.type === "cgroup" && mount.options.includes("cpu"));
  const v2 = mounts.find((mount) => mount?.type === "cgroup2");
  const mount = v1 ?? v2;
  const path = groups.match(v1 ? /^\d+:(?:\S+,)?cpu(?:,\S+)?:(.*)$/m : /^0::(.*)$/m)?.[1];
  if (!mount || path === undefined) return null;
  return { version: v1 ? 1 : 2, folders: upwards(mount.point, below(mount.root, path)) };
}

/**
 * Parses a limit on CPU time. Returns it in cores; null if the text is invalid.
 *
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files
 *
 * @param text content of `cpu.max` (version 2), or quota and period of version 1 joined by a space
 */
export function parseLimit(text: string): number | "unlimited" | null {
  const [, quota, period] = text.match(/^(max|-1|\d+)\s+(\d+)\s*$/) ?? [];
  if (quota === undefined || !(Number(period) > 0)) return null;
  if (quota === "max" || quota === "-1") return "unlimited";
  return parseNumber(Number(quota) / Number(period));
}

/**
 * Returns the seconds for which the kernel has stopped a group, over all CPUs; null if the value is missing.
 *
 * @param stat content of a `cpu.stat` file of version 1 or 2
 */
export function parseThrottled(stat: string): number | null {
  const [, us] = stat.match(/^throttled_usec (\d+)$/m) ?? [];
  const [, ns] = stat.match(/^throttled_time (\d+)$/m) ?? [];
  const [count, perS] = us === undefined ? [parseNumber(ns), 1e9] : [parseNumber(us), 1e6];
  return count === null ? null : count / perS;
}

interface Mount {
  readonly root: string;
  readonly point: string;
  readonly type: string;
  readonly options: readonly string[];
}

/**
 * Parses one line of `/proc/PID/mountinfo`; null if it is incomplete.
 * https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html
 */
function parseMount(line: string): Mount | null {
  const [before = "", after = ""] = line.split(" - ");
  const [, , , root, point] = before.split(" ");
  const [type, , options] = after.split(" ");
  if (!root || !point || !type) return null;
  return { root, point, type, options: options?.split(",") ?? [] };
}

/** Returns the path of a group relative to the mounted group; empty if the group is outside. */
function below(root: string, path: string): string {
  if (path.startsWith("/..")) return "";
  if (root === "/") return path;
  return path === root || path.startsWith(`${root}/`) ? path.slice(root.length) : "";
}

function upwards(point: string, path: string): string[] {
  const names = path.split("/").filter((name) => name !== "");
  return [...names.keys(), names.length].reverse()
    .map((depth) => [point, ...names.slice(0, depth)].join("/"));
}
