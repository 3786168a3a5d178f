import { cpus } from "node:os";
import { listFolder, readText, which } from "../process/files.ts";
import type { MachineFacts, Power, Turbo } from "./facts.ts";
import { groupCores, type Topology } from "./pinning.ts";
import * as proc from "./proc.ts";
import { readQuota } from "./quota.ts";

const SUPPLIES = "/sys/class/power_supply";

/**
 * One power supply in the kernel's list. A property is null if its file is missing.
 *
 * https://www.kernel.org/doc/Documentation/ABI/testing/sysfs-class-power
 */
export interface Supply {
  /** `Mains`, `Battery`, `USB` and others. */
  readonly type: string | null;
  /** `Device` if it powers a peripheral such as a mouse, and not the machine. */
  readonly scope: string | null;
  /** For mains: `1` if it is plugged in. */
  readonly online: string | null;
  /** For a battery: `Charging`, `Discharging`, `Full` and others. */
  readonly status: string | null;
}

/** Returns the machine's power source; null if the system does not report it. */
function readPower(): Power | null {
  const names = listFolder(SUPPLIES);
  return names === null ? null : judgeSupplies(names.map(readSupply));
}

/** Returns the power source of a machine with these supplies; null if they do not show it. */
export function judgeSupplies(all: readonly Supply[]): Power | null {
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

const CPUS = "/sys/devices/system/cpu";

/**
 * Reads the facts about this machine without changing anything. Most facts come from /proc and /sys. They are
 * null if these folders are missing, as on systems other than Linux and in some containers.
 */
export function readMachine(): MachineFacts {
  const allowedCpus = parsed("/proc/self/status", proc.parseAllowedCpus);
  const topology = readTopology(allowedCpus ?? []);
  const memory = Deno.systemMemoryInfo();
  const [load1 = null] = Deno.build.os === "windows" ? [] : Deno.loadavg();
  return {
    os: Deno.build.os,
    logicalCpus: cpus().length,
    allowedCpus,
    cores: topology?.cores ?? null,
    smt: topology?.smt ?? null,
    governors: readGovernors(allowedCpus ?? []),
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
    tools: {
      taskset: which("taskset") !== null,
      wrk: which("wrk") !== null,
      oha: which("oha") !== null,
    },
  };
}

function parsed<T>(path: string, parse: (text: string) => T | null): T | null {
  const text = readText(path);
  return text === null ? null : parse(text);
}

function readTopology(allowed: readonly number[]): Topology | null {
  if (allowed.length === 0) return null;
  const siblings = allowed.map((cpu) =>
    readText(`${CPUS}/cpu${cpu}/topology/thread_siblings_list`)
  );
  return groupCores(allowed, siblings);
}

/** Reads the frequency governors, without duplicates. https://docs.kernel.org/admin-guide/pm/cpufreq.html */
function readGovernors(allowed: readonly number[]): string[] | null {
  const governors = allowed.map((cpu) => readText(`${CPUS}/cpu${cpu}/cpufreq/scaling_governor`))
    .filter((text) => text !== null);
  return governors.length === 0 ? null : [...new Set(governors.map((text) => text.trim()))].sort();
}

/**
 * Reads the turbo mode; null if the system does not report it.
 * https://docs.kernel.org/admin-guide/pm/cpufreq.html and
 * https://docs.kernel.org/admin-guide/pm/intel_pstate.html
 */
function readTurbo(): Turbo | null {
  for (const [control, off] of [["intel_pstate/no_turbo", 1], ["cpufreq/boost", 0]] as const) {
    const value = parsed(`${CPUS}/${control}`, proc.parseCount);
    if (value !== null) return { on: value !== off, control: `${CPUS}/${control}`, off: `${off}` };
  }
  return null;
}
