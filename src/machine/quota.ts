/** The processors and the CPU time that this process may use. */
import { readText } from "../process/files.ts";
import type { MachineFacts } from "./facts.ts";

type CpuQuota = NonNullable<MachineFacts["quota"]>;

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
  const [, us] = stat.match(/^throttled_usec (\d+)$/m) ?? [];
  const [, ns] = stat.match(/^throttled_time (\d+)$/m) ?? [];
  const [count, perS] = us === undefined ? [parseNumber(ns), 1e9] : [parseNumber(us), 1e6];
  return count === null ? null : count / perS;
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
  return path === root || path.startsWith(`${root}/`) ? path.slice(root.length) : "";
}

function upwards(point: string, path: string): string[] {
  const names = path.split("/").filter((name) => name !== "");
  return [...names.keys(), names.length].reverse()
    .map((depth) => [point, ...names.slice(0, depth)].join("/"));
}

/** Returns the smallest visible limit on CPU time; null if none is known. */
export function readQuota(): CpuQuota | null {
  const groups = readText("/proc/self/cgroup");
  const mountinfo = readText("/proc/self/mountinfo");
  const found = groups === null || mountinfo === null ? null : findCpuGroups(groups, mountinfo);
  if (found === null || !controlsCpu(found)) return null;
  return tightest(found.folders.map((folder) => readGroup(found.version, folder)));
}

type Cpus = Pick<MachineFacts, "logicalCpus" | "allowedCpus" | "quota">;

/** Returns the number of cores that this process may use: a fraction if a quota limits CPU time. */
export function usableCores({ logicalCpus, allowedCpus, quota }: Cpus): number {
  const allowed = allowedCpus?.length ?? logicalCpus;
  return typeof quota?.cores === "number" ? Math.min(allowed, quota.cores) : allowed;
}

/**
 * Returns the processors that Stampede can keep awake, so that programs wake without delay. Returns
 * none if that would use up a quota, and on systems other than Linux.
 */
export function awakeCpus(facts: Cpus & Pick<MachineFacts, "os">): number[] {
  const { allowedCpus, logicalCpus, os } = facts;
  const all = allowedCpus ?? Array.from({ length: logicalCpus }, (_, i) => i);
  return os === "linux" && usableCores(facts) >= all.length ? [...all] : [];
}

/** Returns the smallest of several quotas that all apply; null without quotas. */
export function tightest(quotas: readonly CpuQuota[]): CpuQuota | null {
  const cores = (quota: CpuQuota): number => quota.cores === "unlimited" ? Infinity : quota.cores;
  return quotas.toSorted((a, b) => cores(a) === cores(b) ? 0 : cores(a) - cores(b))[0] ?? null;
}

/**
 * Without the CPU controller, groups of version 2 show no limit on CPU time, although a parent
 * outside the mount may have one.
 */
function controlsCpu({ version, folders }: CpuGroups): boolean {
  if (version === 1) return true;
  const controllers = readText(`${folders.at(-1)}/cgroup.controllers`);
  return controllers?.trim().split(" ").includes("cpu") ?? false;
}

function readGroup(version: 1 | 2, folder: string): CpuQuota {
  const files = version === 2 ? ["cpu.max"] : ["cpu.cfs_quota_us", "cpu.cfs_period_us"];
  const texts = files.map((file) => readText(`${folder}/${file}`));
  // The root group has no such file, and no limit.
  const cores = parseLimit(texts.map((text) => text?.trim()).join(" ")) ?? "unlimited";
  const stat = readText(`${folder}/cpu.stat`);
  return { cores, throttledS: stat === null ? null : parseThrottled(stat) };
}

/** Upper bound of CPU numbers, so that no list fills the memory; Linux has at most 8192 on x86. */
const MOST_CPUS = 65_536;

/**
 * Parses a list of CPUs such as `0-3,8`; null if it is invalid or empty.
 * https://docs.kernel.org/admin-guide/cputopology.html
 */
export function parseCpuList(text: string): number[] | null {
  const cpus = new Set<number>();
  for (const part of text.trim().split(",")) {
    const [, first = "", last = first] = part.match(/^(\d+)(?:-(\d+))?$/) ?? [];
    if (first === "" || Number(last) < Number(first) || Number(last) >= MOST_CPUS) return null;
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.add(cpu);
  }
  return [...cpus].sort((a, b) => a - b);
}

/** Parses a number. Returns null if it is invalid, negative, or too large to count exactly. */
export function parseNumber(text: string | number | undefined): number | null {
  const value = Number(text ?? NaN);
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;
}
