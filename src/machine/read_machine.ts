/** Reads the facts about this machine from /proc and /sys. */
import { cpus } from "node:os";
import { listFolder, readText, which } from "../process/files.ts";
import type { MachineFacts } from "./facts.ts";
import { groupCores } from "./pinning.ts";
import * as proc from "./proc.ts";
import { readQuota } from "./quota.ts";

const SUPPLIES = "/sys/class/power_supply";

/**
 * One power supply in the kernel's list. A property is null if its file is missing. The `scope` is
 * `Device` if it powers a peripheral such as a mouse; `online` is `1` for mains that are plugged
 * in.
 * https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-class-power
 */
export type Supply = Readonly<Record<"type" | "scope" | "online" | "status", string | null>>;

function readPower(): MachineFacts["power"] {
  const names = listFolder(SUPPLIES);
  return names === null ? null : judgeSupplies(names.map(readSupply));
}

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
  const [type, scope] = [read("type"), read("scope")];
  return { type, scope, online: read("online"), status: read("status") };
}

const CPUS = "/sys/devices/system/cpu";

/**
 * Reads the facts about this machine without changing anything. Most are null if /proc or /sys are
 * missing, as on systems other than Linux and in some containers.
 */
export function readMachine(): MachineFacts {
  const allowedCpus = parsed("/proc/self/status", proc.parseAllowedCpus);
  const siblings = readOfCpus(allowedCpus, "topology/thread_siblings_list");
  const topology = allowedCpus && groupCores(allowedCpus, siblings);
  const memory = Deno.systemMemoryInfo();
  const has = (program: string): boolean => which(program) !== null;
  const [load1 = null] = Deno.build.os === "windows" ? [] : Deno.loadavg();
  return {
    os: Deno.build.os,
    logicalCpus: cpus().length,
    allowedCpus,
    cores: topology?.cores ?? null,
    smt: topology?.smt ?? null,
    governors: readGovernors(allowedCpus),
    turbo: readTurbo(),
    virtual: parsed("/proc/cpuinfo", proc.parseHypervisor),
    stealShare: parsed("/proc/stat", proc.parseStealShare),
    load1,
    cpuPressure: parsed("/proc/pressure/cpu", proc.parsePressure),
    quota: readQuota(),
    openFiles: parsed("/proc/self/limits", proc.parseOpenFiles),
    somaxconn: parsed("/proc/sys/net/core/somaxconn", proc.parseCount),
    portRange: parsed("/proc/sys/net/ipv4/ip_local_port_range", proc.parsePortRange),
    timeWait: parsed("/proc/net/sockstat", proc.parseTimeWait),
    memory: {
      totalBytes: memory.total,
      availableBytes: memory.available,
      swapUsedBytes: memory.swapTotal - memory.swapFree,
    },
    power: readPower(),
    tools: { taskset: has("taskset"), wrk: has("wrk"), oha: has("oha") },
  };
}

function parsed<T>(path: string, parse: (text: string) => T | null): T | null {
  const text = readText(path);
  return text === null ? null : parse(text);
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
    const value = parsed(`${CPUS}/${control}`, proc.parseCount);
    if (value !== null) return { on: value !== off, control: `${CPUS}/${control}`, off: `${off}` };
  }
  return null;
}
