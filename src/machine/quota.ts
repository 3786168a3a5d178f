import { readText } from "../process/files.ts";
import { type CpuQuota, type MachineFacts, parseNumber } from "./facts.ts";

/** The control groups that limit the CPU time of a process. */
interface CpuGroups {
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

/** Returns the smallest visible limit on CPU time; null if none is known. */
export function readQuota(): CpuQuota | null {
  const groups = readText("/proc/self/cgroup");
  const mountinfo = readText("/proc/self/mountinfo");
  const found = groups === null || mountinfo === null ? null : findCpuGroups(groups, mountinfo);
  if (found === null || !controlsCpu(found)) return null;
  return tightest(found.folders.map((folder) => readGroup(found.version, folder)));
}

/**
 * Returns the number of cores that this process may use. It is the number of allowed CPUs, or less if a quota
 * limits CPU time; then it may be a fraction.
 */
export function usableCores(
  { logicalCpus, allowedCpus, quota }: Pick<
    MachineFacts,
    "logicalCpus" | "allowedCpus" | "quota"
  >,
): number {
  const allowed = allowedCpus?.length ?? logicalCpus;
  return typeof quota?.cores === "number" ? Math.min(allowed, quota.cores) : allowed;
}

/**
 * Returns the processors that Stampede can keep awake, so that programs wake without delay. Returns none if
 * that would use up a quota, and on systems other than Linux.
 */
export function awakeCpus(
  facts: Pick<MachineFacts, "os" | "logicalCpus" | "allowedCpus" | "quota">,
): number[] {
  const { allowedCpus, logicalCpus, os } = facts;
  const all = allowedCpus ?? Array.from({ length: logicalCpus }, (_, i) => i);
  return os === "linux" && usableCores(facts) >= all.length ? [...all] : [];
}

/** Returns the smallest of several quotas that all apply; null without quotas. */
export function tightest(quotas: readonly CpuQuota[]): CpuQuota | null {
  const cores = (quota: CpuQuota): number => quota.cores === "unlimited" ? Infinity : quota.cores;
  return [...quotas].sort((a, b) => cores(a) === cores(b) ? 0 : cores(a) - cores(b))[0] ?? null;
}

/**
 * Returns whether these groups show the limits on CPU time. Without the CPU controller, groups of version 2
 * show no limit, although a parent outside the mount may have one.
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

/**
 * Upper bound of CPU numbers. It prevents lists that fill the memory. Linux supports fewer CPUs:
 * CONFIG_NR_CPUS is at most 8192 on x86.
 */
const MOST_CPUS = 65_536;

/**
 * Parses a list of CPUs in the kernel's notation: `0-3,8`.
 *
 * https://docs.kernel.org/admin-guide/cputopology.html
 *
 * @returns the numbers in ascending order; null if the list is invalid or empty.
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
