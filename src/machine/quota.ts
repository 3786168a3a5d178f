import { type CpuGroups, findCpuGroups, parseLimit, parseThrottled } from "./cgroup.ts";
import type { CpuQuota, MachineFacts } from "./facts.ts";
import { readText } from "../process/files.ts";

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
