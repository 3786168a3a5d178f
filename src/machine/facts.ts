/** Facts from /proc (https://man7.org/linux/man-pages/man5/proc.5.html) and /sys. */
import { cpus } from "node:os";
import { listFolder, readText, which } from "../process/files.ts";

/** Facts about a machine before a measurement; null for values that the system does not report. */
export interface MachineFacts {
  /** The value of `Deno.build.os`. */
  readonly os: string;
  /** Number of logical CPUs of the whole machine, including those that this process may not use. */
  readonly logicalCpus: number;
  readonly allowedCpus: readonly number[] | null;
  /** The logical CPUs of each physical core that this process may use; with SMT, a core has several. */
  readonly cores: readonly (readonly number[])[] | null;
  /** Whether a core has several logical CPUs, including those that this process may not use. */
  readonly smt: boolean | null;
  /** The frequency governors of the CPUs that this process may use, without duplicates. */
  readonly governors: readonly string[] | null;
  /** Whether the clock may exceed its nominal frequency; the file and the value that disable it. */
  readonly turbo: { readonly on: boolean; readonly control: string; readonly off: string } | null;
  readonly virtual: boolean | null;
  /** Family, model and stepping of an x86 processor: `family 25, model 1, stepping 1`. */
  readonly cpuSignature: string | null;
  /** Share of CPU time since boot that the host of this virtual machine gave to others, 0 to 1. */
  readonly stealShare: number | null;
  /** Load average: the number of tasks that ran or waited, as a mean over the last minute. */
  readonly load1: number | null;
  /** Share of the last 10 s in which some task waited for a CPU, 0 to 1. */
  readonly cpuPressure: number | null;
  readonly quota: CpuQuota | null;
  /** Maximum number of open files: the soft limit, which child processes inherit. */
  readonly openFiles: number | "unlimited" | null;
  /** Maximum length of a server's queue of connections that it has not accepted yet. */
  readonly somaxconn: number | null;
  /** The ports for outgoing connections, both included. */
  readonly portRange: { readonly first: number; readonly last: number } | null;
  /** Number of closed connections that still occupy their ports (TIME_WAIT). */
  readonly timeWait: number | null;
  /** Memory of the whole machine; `availableBytes` can be had without swapping. */
  readonly memory: {
    readonly totalBytes: number;
    readonly availableBytes: number;
    readonly swapUsedBytes: number;
  } | null;
  /** The power source; `none` if the system lists no battery. */
  readonly power: "mains" | "battery" | "none" | null;
  readonly tools: { readonly taskset: boolean; readonly wrk: boolean; readonly oha: boolean };
}

const CPUS = "/sys/devices/system/cpu";

/** Reads the facts about this machine. Most are null without /proc and /sys, as on macOS. */
export function readMachine(): MachineFacts {
  const inProc = Object.fromEntries(
    Object.entries(IN_PROC).map(([name, fact]) => [name, read<unknown>(fact)]),
  ) as Pick<MachineFacts, keyof typeof IN_PROC>;
  const { allowedCpus } = inProc;
  const siblings = readOfCpus(allowedCpus, "topology/thread_siblings_list");
  const topology = allowedCpus && groupCores(allowedCpus, siblings);
  const memory = Deno.systemMemoryInfo();
  const supplies = listFolder(SUPPLIES);
  const has = (program: string): boolean => which(program) !== null;
  const [load1 = null] = Deno.build.os === "windows" ? [] : Deno.loadavg();
  return {
    ...inProc,
    os: Deno.build.os,
    logicalCpus: cpus().length,
    cores: topology?.cores ?? null,
    smt: topology?.smt ?? null,
    governors: readGovernors(allowedCpus),
    turbo: readTurbo(),
    load1,
    quota: readQuota(),
    memory: {
      totalBytes: memory.total,
      availableBytes: memory.available,
      swapUsedBytes: memory.swapTotal - memory.swapFree,
    },
    power: supplies && judgeSupplies(supplies.map(readSupply)),
    tools: { taskset: has("taskset"), wrk: has("wrk"), oha: has("oha") },
  };
}

/** Returns the name of a processor. In a virtual machine, several generations may have one name. */
export function cpuModelOf(
  name: string,
  { virtual, cpuSignature }: Pick<MachineFacts, "virtual" | "cpuSignature">,
): string {
  return virtual && cpuSignature !== null ? `${name} (${cpuSignature})` : name;
}

function read<T>({ file, parse }: FactInFile<T>): T | null {
  const text = readText(file);
  return text === null ? null : parse(text);
}

const ONE_NUMBER = /^(\d+)\s*$/;

/** The fact in a file: the value of a pattern's groups, or null without a match. */
interface FactInFile<T> {
  readonly file: string;
  readonly parse: (text: string) => T | null;
}

function inFile<T>(
  file: string,
  pattern: RegExp,
  valueOf: (group: string, second: string) => T | null,
): FactInFile<T> {
  const parse = (text: string): T | null => {
    const found = text.match(pattern);
    return found && valueOf(found[1] ?? "", found[2] ?? "");
  };
  return { file, parse };
}

/** The facts in files of /proc. */
export const IN_PROC = {
  allowedCpus: inFile("/proc/self/status", /^Cpus_allowed_list:(.*)$/m, parseCpuList),
  openFiles: inFile(
    "/proc/self/limits",
    /^Max open files +(\d+|unlimited) /m,
    (soft) => soft === "unlimited" ? soft : parseNumber(soft),
  ),
  // Only x86 has flags
  virtual: inFile("/proc/cpuinfo", /^flags\s*:(.*)$/m, (flags) => /\bhypervisor\b/.test(flags)),
  cpuSignature: inFile(
    "/proc/cpuinfo",
    /^cpu family\s*:\s*(\d+)\nmodel\s*:\s*(\d+\nmodel name.*\nstepping\s*:\s*\d+)$/m,
    (family, rest) => {
      const [model, stepping] = [/^\d+/, /\d+$/].map((number) => rest.match(number)?.[0]);
      return `family ${family}, model ${model}, stepping ${stepping}`;
    },
  ),
  stealShare: inFile("/proc/stat", /^cpu +(.*)$/m, (line) => {
    // user, nice, system, idle, iowait, irq, softirq, steal; later fields are part of the first two
    const times = line.split(" ").map(Number).slice(0, 8);
    const steal = times[7];
    const total = times.reduce((sum, time) => sum + time, 0);
    return steal === undefined || !(total > 0) ? null : parseNumber(steal / total);
  }),
  /** https://docs.kernel.org/accounting/psi.html */
  cpuPressure: inFile(
    "/proc/pressure/cpu",
    /^some avg10=([\d.]+)/m,
    (percent) => parseNumber(Number(percent) / 100),
  ),
  somaxconn: inFile("/proc/sys/net/core/somaxconn", ONE_NUMBER, parseNumber),
  portRange: inFile(
    "/proc/sys/net/ipv4/ip_local_port_range",
    /^(\d+)\s+(\d+)\s*$/,
    (...range) => {
      const [first = null, last = null] = range.map((port) => parseNumber(port));
      return first === null || last === null ? null : { first, last };
    },
  ),
  timeWait: inFile("/proc/net/sockstat", /^TCP:.* tw (\d+)/m, parseNumber),
} satisfies { readonly [Name in keyof MachineFacts]?: FactInFile<MachineFacts[Name]> };

/** Upper bound of CPU numbers, so that no list fills the memory; Linux has at most 8192 on x86. */
const MOST_CPUS = 65_536;

/** Parses CPUs such as `0-3,8`; null if invalid: https://docs.kernel.org/admin-guide/cputopology.html */
export function parseCpuList(text: string): number[] | null {
  const cpus = new Set<number>();
  for (const part of text.trim().split(",")) {
    const [, first = "", last = first] = part.match(/^(\d+)(?:-(\d+))?$/) ?? [];
    if (first === "" || Number(last) < Number(first) || Number(last) >= MOST_CPUS) return null;
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.add(cpu);
  }
  return [...cpus].sort((a, b) => a - b);
}

/** Groups CPUs by core, by the `thread_siblings_list` of each; null if one is unknown. */
export function groupCores(
  allowed: readonly number[],
  siblings: readonly (string | null)[],
): { cores: number[][]; smt: boolean } | null {
  const lists = siblings.map((text) => parseCpuList(text ?? "") ?? []);
  if (allowed.some((cpu, i) => !lists[i]?.includes(cpu))) return null;
  const cores = Map.groupBy(allowed, (_cpu, i) => lists[i]?.[0]);
  return {
    cores: [...cores.values()].sort(([a = 0], [b = 0]) => a - b),
    smt: lists.some((list) => list.length > 1),
  };
}

function readOfCpus(cpus: readonly number[] | null, file: string): (string | null)[] {
  return (cpus ?? []).map((cpu) => readText(`${CPUS}/cpu${cpu}/${file}`));
}

/** https://docs.kernel.org/admin-guide/pm/cpufreq.html */
function readGovernors(allowed: readonly number[] | null): string[] | null {
  const governors = readOfCpus(allowed, "cpufreq/scaling_governor")
    .flatMap((text) => text?.trim() ?? []);
  return governors.length === 0 ? null : [...new Set(governors)].sort();
}

/** https://docs.kernel.org/admin-guide/pm/intel_pstate.html and that of cpufreq */
function readTurbo(): MachineFacts["turbo"] {
  for (const [control, off] of [["intel_pstate/no_turbo", 1], ["cpufreq/boost", 0]] as const) {
    const value = read(inFile(`${CPUS}/${control}`, ONE_NUMBER, parseNumber));
    if (value !== null) return { on: value !== off, control: `${CPUS}/${control}`, off: `${off}` };
  }
  return null;
}

const SUPPLIES = "/sys/class/power_supply";

/**
 * Properties of a power supply; null if missing. The `scope` is `Device` if it powers a peripheral
 * such as a mouse; `online` is `1` for mains that are plugged in.
 * https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-class-power
 */
type Supply = Readonly<Record<"type" | "scope" | "online" | "status", string | null>>;

/** Returns the power source of a machine with these supplies; null if they do not show it. */
export function judgeSupplies(all: readonly Supply[]): MachineFacts["power"] {
  const supplies = all.filter(({ scope }) => scope !== "Device");
  const batteries = supplies.filter(({ type }) => type === "Battery");
  const others = supplies.filter(({ type }) => type !== "Battery");
  if (batteries.some(({ status }) => status === "Discharging")) return "battery";
  if (others.some(({ online }) => online === "1")) return "mains";
  if (batteries.length === 0) return "none";
  return batteries.every(({ status }) => status === "Charging" || status === "Full")
    ? "mains"
    : null;
}

function readSupply(name: string): Supply {
  const read = (file: string): string | null =>
    readText(`${SUPPLIES}/${name}/${file}`)?.trim() ?? null;
  return {
    type: read("type"),
    scope: read("scope"),
    online: read("online"),
    status: read("status"),
  };
}

/** The limit on CPU time that the control groups of this process set. */
interface CpuQuota {
  readonly cores: number | "unlimited";
  /** Seconds in which the kernel has stopped the group with the smallest limit, over its CPUs. */
  readonly throttledS: number | null;
}

/** Returns the smallest visible limit on CPU time; null if none is known. */
function readQuota(): CpuQuota | null {
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
function parseNumber(text: string | number | undefined): number | null {
  const value = Number(text ?? NaN);
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;
}
