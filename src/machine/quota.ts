/** The limits on CPU time that control groups set. */
import { readText } from "../process/files.ts";

/** The limit on CPU time that the control groups of this process set. */
export interface CpuQuota {
  readonly cores: number | "unlimited";
  /** Seconds in which the kernel has stopped the group with the smallest limit, over its CPUs. */
  readonly throttledS: number | null;
}

/** Returns the smallest visible limit on CPU time; null if none is known. */
export function readQuota(): CpuQuota | null {
  const groups = readText("/proc/self/cgroup");
  const mountinfo = readText("/proc/self/mountinfo");
  const found = groups === null || mountinfo === null ? null : findCpuGroups(groups, mountinfo);
  if (found === null) return null;
  const { version, folders } = found;
  // Without the controller, groups of version 2 show no limit, although a parent outside the mount
  // may have one
  const controllers = readText(`${folders.at(-1)}/cgroup.controllers`)?.trim().split(" ");
  if (version === 2 && !controllers?.includes("cpu")) return null;
  return tightest(folders.map((folder) => readGroup(version, folder)));
}

function readGroup(version: CpuGroups["version"], folder: string): CpuQuota {
  const files = version === 2 ? ["cpu.max"] : ["cpu.cfs_quota_us", "cpu.cfs_period_us"];
  const texts = files.map((file) => readText(`${folder}/${file}`)?.trim());
  const stat = readText(`${folder}/cpu.stat`);
  return {
    cores: parseLimit(texts.join(" ")) ?? "unlimited", // the root group has no such file
    throttledS: stat === null ? null : parseThrottled(stat),
  };
}

/** Returns the smallest of several quotas that all apply; null without quotas. */
export function tightest(quotas: readonly CpuQuota[]): CpuQuota | null {
  const cores = (quota: CpuQuota): number => quota.cores === "unlimited" ? Infinity : quota.cores;
  return quotas.toSorted((a, b) => cores(a) === cores(b) ? 0 : cores(a) - cores(b))[0] ?? null;
}

/** The folders of control groups, from the process's group up to the mounted root. */
type CpuGroups = { readonly version: 1 | 2; readonly folders: readonly string[] };

/**
 * Finds the groups that control the CPU time of a process from the texts of `/proc/PID/cgroup` and
 * `/proc/PID/mountinfo`; null if no hierarchy of groups is mounted.
 * https://man7.org/linux/man-pages/man7/cgroups.7.html
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
 * Parses a limit on CPU time in cores from `cpu.max` (version 2), or from quota and period of
 * version 1 joined by a space; null if it is invalid.
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#cpu-interface-files
 */
export function parseLimit(text: string): number | "unlimited" | null {
  const [, quota, period] = text.match(/^(max|-1|\d+)\s+(\d+)\s*$/) ?? [];
  if (quota === undefined || !(Number(period) > 0)) return null;
  if (quota === "max" || quota === "-1") return "unlimited";
  return parseNumber(Number(quota) / Number(period));
}

/** Returns the seconds for which the kernel has stopped a group, over all CPUs, from `cpu.stat`. */
export function parseThrottled(stat: string): number | null {
  const us = stat.match(/^throttled_usec (\d+)$/m)?.[1];
  const ns = stat.match(/^throttled_time (\d+)$/m)?.[1];
  const count = parseNumber(us ?? ns);
  return count === null ? null : count / (us === undefined ? 1e9 : 1e6);
}

/** https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html */
function parseMount(
  line: string,
): { root: string; point: string; type: string; options: string[] } | null {
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
  return `${path}/`.startsWith(`${root}/`) ? path.slice(root.length) : "";
}

function upwards(point: string, path: string): string[] {
  const names = path.split("/").filter((name) => name !== "");
  return [...names.keys(), names.length].reverse()
    .map((depth) => [point, ...names.slice(0, depth)].join("/"));
}

/** Parses a number. Returns null if it is invalid, negative, or too large to count exactly. */
export function parseNumber(text: string | number | undefined): number | null {
  const value = Number(text ?? NaN);
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;
}
