import { cpus } from "node:os";
import type { MachineFacts, Turbo } from "./facts.ts";
import { isOnPath, readText } from "./files.ts";
import { readPower } from "./power.ts";
import * as proc from "./proc.ts";
import { readQuota } from "./quota.ts";
import { groupCores, type Topology } from "./topology.ts";

const CPUS = "/sys/devices/system/cpu";

/**
 * Reads the facts about this machine without changing anything. Most facts come from /proc and /sys. They are
 * null if these folders are missing, as on systems other than Linux and in some containers.
 */
export async function readMachine(): Promise<MachineFacts> {
  const allowedCpus = await parsed("/proc/self/status", proc.parseAllowedCpus);
  const topology = await readTopology(allowedCpus ?? []);
  const memory = Deno.systemMemoryInfo();
  const [load1 = null] = Deno.build.os === "windows" ? [] : Deno.loadavg();
  return {
    os: Deno.build.os,
    logicalCpus: cpus().length,
    allowedCpus,
    cores: topology?.cores ?? null,
    smt: topology?.smt ?? null,
    governors: await readGovernors(allowedCpus ?? []),
    turbo: await readTurbo(),
    virtual: await parsed("/proc/cpuinfo", proc.parseHypervisor),
    stealShare: await parsed("/proc/stat", proc.parseStealShare),
    load1,
    cpuPressure: await parsed("/proc/pressure/cpu", proc.parsePressure),
    quota: await readQuota(),
    openFiles: await parsed("/proc/self/limits", proc.parseOpenFiles),
    somaxconn: await parsed("/proc/sys/net/core/somaxconn", proc.parseCount),
    portRange: await parsed("/proc/sys/net/ipv4/ip_local_port_range", proc.parsePortRange),
    timeWait: await parsed("/proc/net/sockstat", proc.parseTimeWait),
    memory: {
      totalBytes: memory.total,
      availableBytes: memory.available,
      swapUsedBytes: memory.swapTotal - memory.swapFree,
    },
    power: await readPower(),
    tools: {
      taskset: await isOnPath("taskset"),
      wrk: await isOnPath("wrk"),
      oha: await isOnPath("oha"),
    },
  };
}

async function parsed<T>(path: string, parse: (text: string) => T | null): Promise<T | null> {
  const text = await readText(path);
  return text === null ? null : parse(text);
}

async function readTopology(allowed: readonly number[]): Promise<Topology | null> {
  if (allowed.length === 0) return null;
  const siblings = allowed.map((cpu) =>
    readText(`${CPUS}/cpu${cpu}/topology/thread_siblings_list`)
  );
  return groupCores(allowed, await Promise.all(siblings));
}

/** Reads the frequency governors, without duplicates. https://docs.kernel.org/admin-guide/pm/cpufreq.html */
async function readGovernors(allowed: readonly number[]): Promise<string[] | null> {
  const files = allowed.map((cpu) => readText(`${CPUS}/cpu${cpu}/cpufreq/scaling_governor`));
  const governors = (await Promise.all(files)).filter((text) => text !== null);
  return governors.length === 0 ? null : [...new Set(governors.map((text) => text.trim()))].sort();
}

/**
 * Reads the turbo mode; null if the system does not report it.
 * https://docs.kernel.org/admin-guide/pm/cpufreq.html and
 * https://docs.kernel.org/admin-guide/pm/intel_pstate.html
 */
async function readTurbo(): Promise<Turbo | null> {
  for (const [control, off] of [["intel_pstate/no_turbo", 1], ["cpufreq/boost", 0]] as const) {
    const value = await parsed(`${CPUS}/${control}`, proc.parseCount);
    if (value !== null) return { on: value !== off, control: `${CPUS}/${control}`, off: `${off}` };
  }
  return null;
}
