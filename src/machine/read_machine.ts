import { cpus } from "node:os";
import type { MachineFacts, Turbo } from "./facts.ts";
import { readText, which } from "../process/files.ts";
import { readPower } from "./power.ts";
import * as proc from "./proc.ts";
import { readQuota } from "./quota.ts";
import { groupCores, type Topology } from "./topology.ts";

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
