import type { Finding } from "../model/report.ts";

/**
 * The physical cores. Each entry lists the logical CPUs of one core that this process may use. With
 * simultaneous multithreading (SMT), a core has several.
 */
export type CoreTopology = readonly (readonly number[])[];

/** The limit on CPU time that the control groups of this process set. */
export interface CpuQuota {
  /** The limit in cores, which may be a fraction. */
  readonly cores: number | "unlimited";
  /**
   * Seconds so far in which the kernel has stopped the control group with the smallest limit, added over all
   * CPUs of the group.
   */
  readonly throttledS: number | null;
}

/** Turbo mode: whether the clock may exceed its nominal frequency (`on`), and the file that controls that. */
export interface Turbo {
  readonly on: boolean;
  readonly control: string;
  /** The value that turns the mode off if it is written to the file. */
  readonly off: string;
}

/** The ports for outgoing connections, from `first` to `last`, both included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Memory of the whole machine. */
interface Memory {
  readonly totalBytes: number;
  /** Memory that programs can get without swapping. */
  readonly availableBytes: number;
  readonly swapUsedBytes: number;
}

/** The power source of the machine; `none` if the system lists no battery. */
export type Power = "mains" | "battery" | "none";

/** Facts about a machine before a measurement; null for values that the system does not report. */
export interface MachineFacts {
  /** The value of `Deno.build.os`. */
  readonly os: string;
  /** Number of logical CPUs of the whole machine, including those that this process may not use. */
  readonly logicalCpus: number;
  /** Logical CPUs that this process may use. */
  readonly allowedCpus: readonly number[] | null;
  readonly cores: CoreTopology | null;
  /** Whether a core has several logical CPUs, including those that this process may not use. */
  readonly smt: boolean | null;
  /** The frequency governors of the CPUs that this process may use, without duplicates. */
  readonly governors: readonly string[] | null;
  readonly turbo: Turbo | null;
  /** Whether this is a virtual machine. */
  readonly virtual: boolean | null;
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
  readonly portRange: PortRange | null;
  /** Number of closed connections that still occupy their ports (TIME_WAIT). */
  readonly timeWait: number | null;
  readonly memory: Memory | null;
  readonly power: Power | null;
  /** Whether these programs are on the PATH. */
  readonly tools: { readonly taskset: boolean; readonly wrk: boolean; readonly oha: boolean };
}

/** What the run needs from the machine. */
export interface Needs {
  /** Number of connections that are open at once. */
  readonly connections: number;
}

/** A finding without the name of its aspect. */
export type UnnamedFinding = Omit<Finding, "name">;

/** Checks one aspect of the machine. */
export type Aspect = (facts: MachineFacts, needs: Needs) => UnnamedFinding;

/** Returns the finding that an aspect is fine. */
export function ok(found: string): UnnamedFinding {
  return { status: "ok", found, advice: null };
}

/** Returns the finding that an aspect makes measurements less exact. */
export function warn(found: string, advice: string): UnnamedFinding {
  return { status: "warn", found, advice };
}

/** Returns the finding that an aspect is unknown. */
export function unknown(found = "this system does not report it"): UnnamedFinding {
  return { status: "unknown", found, advice: null };
}

/** Parses a number. Returns null if it is invalid, negative, or too large to count exactly. */
export function parseNumber(text: string | number | undefined): number | null {
  const value = Number(text ?? NaN);
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : null;
}
