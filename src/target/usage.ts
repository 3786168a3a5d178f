/** Resource usage of programs and of the machine. */
import type { ProgramUsage, Usage } from "../model/raw.ts";
import { listFolder, readText } from "../process/files.ts";
import { familyOf, readProcesses, TICK_US } from "../process/tree.ts";

/** Returns the resident memory of a program and all its descendants, in bytes; null if unknown. */
export function residentBytes(pid: number): number | null {
  const processes = readProcesses();
  return processes && memoryOf(familyOf(processes, [pid]), "VmRSS");
}

/**
 * Returns the private memory of a program and all its descendants, in bytes; null if unknown. These are
 * pages that a process has written and shares with no other one.
 * https://docs.kernel.org/filesystems/proc.html (smaps_rollup)
 */
export function privateBytes(pid: number): number | null {
  return memoryOf(familyOf(readProcesses() ?? new Map(), [pid]), "Private_Dirty");
}

/**
 * Returns the proportional memory (PSS) of a program and all its descendants, in bytes; null if unknown.
 * Each page counts once, divided among the processes that share it.
 */
export function proportionalBytes(pid: number): number | null {
  return memoryOf(familyOf(readProcesses() ?? new Map(), [pid]), "Pss");
}

/**
 * Returns the peak of resident memory since the last {@linkcode forgetPeaks}, in bytes; null if unknown. It
 * is the sum of the peaks of a program and all its descendants.
 */
export function peakBytes(pid: number): number | null {
  return memoryOf(familyOf(readProcesses() ?? new Map(), [pid]), "VmHWM");
}

/**
 * Returns the CPU time of the threads of a program and all its descendants, in microseconds; null if
 * unknown. Threads that have ended do not count.
 */
export function threadsUs(pid: number): number | null {
  if (Deno.build.os !== "linux") return null;
  const threads = readThreads(familyOf(readProcesses() ?? new Map(), [pid]));
  if (threads === null) return null;
  return [...threads.values()].reduce((total, [ranNs]) => total + ranNs / 1000, 0);
}

/** The file of /proc that has a memory figure. Reading the second one takes milliseconds. */
const MEMORY_FILES = {
  VmRSS: "status",
  VmHWM: "status",
  Private_Dirty: "smaps_rollup",
  Pss: "smaps_rollup",
} as const;

/** Returns the sum of a memory figure over processes, in bytes; null if it is unknown for all. */
function memoryOf(pids: readonly number[], field: keyof typeof MEMORY_FILES): number | null {
  if (Deno.build.os !== "linux") return null;
  const known = pids.flatMap((pid) => {
    const text = readText(`/proc/${pid}/${MEMORY_FILES[field]}`) ?? "";
    const kibibytes = text.match(new RegExp(`^${field}:\\s*(\\d+) kB`, "m"))?.[1];
    return kibibytes === undefined ? [] : [1024 * Number(kibibytes)];
  });
  return known.length === 0 ? null : known.reduce((total, bytes) => total + bytes, 0);
}

/** Resets the peaks of resident memory of a program and all its descendants, if that is allowed. */
export function forgetPeaks(pid: number): void {
  for (const one of familyOf(readProcesses() ?? new Map(), [pid])) forgetPeak(one);
}

/** Resets VmHWM, the peak of resident memory. Does nothing if the system does not allow it. */
function forgetPeak(pid: number): void {
  try {
    Deno.writeTextFileSync(`/proc/${pid}/clear_refs`, "5", { create: false });
  } catch {
    // The peak since the start of the program remains, which is never too low.
  }
}

type Processes = NonNullable<ReturnType<typeof readProcesses>>;
type Programs<T> = Readonly<Record<"server" | "database" | "generator", T>>;

function ofPrograms<T>(use: (name: keyof Programs<T>) => T): Programs<T> {
  return { server: use("server"), database: use("database"), generator: use("generator") };
}

/** Measures programs and their descendants between `open` and `close`; on macOS only the CPU time. */
export class UsageMeter {
  /** Process ids, without their descendants; none if a program is not used or unknown. */
  readonly #metered: Programs<readonly number[]>;
  readonly #idleRssBytes: Programs<number | null>;
  #before: UsageReading | null = null;
  #usage: Usage | null = null;

  /** Reads the idle memory and resets its peak. Construct the meter before the load. */
  constructor(metered: Programs<readonly number[]>) {
    this.#metered = metered;
    const processes: Processes = readProcesses() ?? new Map();
    this.#idleRssBytes = ofPrograms((name) => {
      const pids = familyOf(processes, metered[name]);
      const rss = memoryOf(pids, "VmRSS");
      for (const pid of pids) forgetPeak(pid);
      return rss;
    });
  }

  open(): void {
    this.#before = this.#read();
  }

  close(): void {
    const before = this.#before;
    if (before === null) return;
    const after = this.#read();
    const durationS = (after.atMs - before.atMs) / 1000;
    const idle = this.#idleRssBytes;
    const programs = ofPrograms((name) =>
      usedBetween(before.programs[name], after.programs[name], durationS, idle[name])
    );
    this.#usage = { durationS, ...programs, machine: sharesBetween(before.machine, after.machine) };
  }

  /** The usage between `open` and `close`; null before that. */
  get usage(): Usage | null {
    return this.#usage;
  }

  #read(): UsageReading {
    const atMs = performance.now();
    const processes: Processes = readProcesses() ?? new Map();
    const programs = ofPrograms((name) => readProgram(processes, this.#metered[name]));
    return { atMs, programs, machine: readMachine() };
  }
}

interface UsageReading {
  readonly atMs: number;
  readonly programs: Programs<ProgramReading | null>;
  readonly machine: readonly number[] | null;
}

interface ProgramReading extends Pick<ProgramUsage, "userUs" | "systemUs" | "peakRssBytes"> {
  /** Nanoseconds that each thread ran, and that it waited to run, by thread id. */
  readonly threads: ReadonlyMap<string, readonly [ranNs: number, waitedNs: number]> | null;
}

function readProgram(processes: Processes, roots: readonly number[]): ProgramReading | null {
  if (!roots.some((root) => processes.has(root))) return null;
  const pids = familyOf(processes, roots);
  const sum = (field: "userUs" | "systemUs"): number =>
    pids.reduce((total, pid) => total + (processes.get(pid)?.[field] ?? 0), 0);
  return {
    userUs: sum("userUs"),
    systemUs: sum("systemUs"),
    threads: Deno.build.os === "linux" ? readThreads(pids) : null,
    peakRssBytes: memoryOf(pids, "VmHWM"),
  };
}

/**
 * Returns nanoseconds that each thread ran and waited, by its id; null if the kernel does not count them: without
 * scheduler statistics, the files are missing or have only zeros.
 * https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat
 */
function readThreads(pids: readonly number[]): Map<string, readonly [number, number]> | null {
  const threads = new Map<string, readonly [number, number]>();
  for (const pid of pids) {
    for (const thread of listFolder(`/proc/${pid}/task`) ?? []) {
      const text = readText(`/proc/${pid}/task/${thread}/schedstat`);
      const [ran, waited] = text?.split(" ").map(Number) ?? [];
      if (ran !== undefined && waited !== undefined) threads.set(thread, [ran, waited]);
    }
  }
  return [...threads.values()].some(([ran]) => ran > 0) ? threads : null;
}

function usedBetween(
  before: ProgramReading | null,
  after: ProgramReading | null,
  durationS: number,
  idleRssBytes: number | null,
): ProgramUsage | null {
  if (before === null || after === null) return null;
  let busiest: readonly [number, number] | null = null;
  let [ranNs, waitedNs] = [0, 0];
  for (const [thread, [ran, waited]] of after.threads ?? []) {
    const [ranBefore, waitedBefore] = before.threads?.get(thread) ?? [0, 0];
    ranNs += ran - ranBefore;
    waitedNs += waited - waitedBefore;
    if (busiest === null || ran - ranBefore > busiest[0]) {
      busiest = [ran - ranBefore, waited - waitedBefore];
    }
  }
  const [userUs, systemUs] = [after.userUs - before.userUs, after.systemUs - before.systemUs];
  const totalUs = exact(userUs + systemUs, after.threads === null ? null : ranNs / 1000);
  const userShare = userUs + systemUs > 0
    ? userUs / (userUs + systemUs)
    : after.userUs / Math.max(1, after.userUs + after.systemUs);
  return {
    userUs: totalUs * userShare,
    systemUs: totalUs * (1 - userShare),
    busiestThread: busiest && busiest[0] / 1e9 / durationS,
    runQueueWait: busiest && busiest[1] / 1e9 / durationS,
    waitedUs: busiest && waitedNs / 1000,
    idleRssBytes,
    peakRssBytes: after.peakRssBytes,
  };
}

/**
 * Returns the CPU time of the threads if it is at most 40 ms below the clock ticks, else the ticks,
 * in microseconds. Thread times are exact to the nanosecond, but they omit threads that ended
 * during the window, which the ticks include.
 */
function exact(ticksUs: number, threadsUs: number | null): number {
  const rounding = 4 * TICK_US; // user and system time, each rounded down in both readings
  return threadsUs !== null && threadsUs >= ticksUs - rounding ? threadsUs : ticksUs;
}

/** Reads the clock ticks of all processors by state: user, nice, system, idle, iowait, irq, ... */
function readMachine(): number[] | null {
  const line = Deno.build.os === "linux" ? readText("/proc/stat")?.split("\n")[0] : undefined;
  return line?.trim().split(/\s+/).slice(1, 9).map(Number) ?? null;
}

function sharesBetween(
  before: readonly number[] | null,
  after: readonly number[] | null,
): Usage["machine"] {
  if (before === null || after === null) return null;
  const ticks = after.map((value, i) => value - (before[i] ?? 0));
  const total = ticks.reduce((sum, value) => sum + value, 0);
  const [, , , idle = 0, iowait = 0, , , steal = 0] = ticks;
  return total === 0 ? null : { idle: (idle + iowait) / total, steal: steal / total };
}
