/**
 * The physical cores that this process may use, each with its logical CPUs that this process may use:
 * more than one where simultaneous multithreading (SMT) is on.
 */
export type CoreTopology = readonly (readonly number[])[];

/** How much CPU time the control groups of this process leave to it. */
export interface CpuQuota {
  /** As many cores' worth, which may be a fraction. */
  readonly cores: number | "unlimited";
  /** Seconds for which the tightest group has been stopped so far, over all its CPUs. */
  readonly throttledS: number | null;
}

/** Whether the clock may exceed its nominal frequency, and the file that decides it. */
export interface Turbo {
  readonly on: boolean;
  readonly control: string;
  /** What is written to the file to turn it off. */
  readonly off: string;
}

/** The ports that the system gives to outgoing connections, both ends included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Memory of the whole machine. */
export interface Memory {
  readonly totalBytes: number;
  /** What programs can still get without swapping. */
  readonly availableBytes: number;
  readonly swapUsedBytes: number;
}

/** What the machine runs on; `none` where it knows of no battery at all. */
export type Power = "mains" | "battery" | "none";

/** What there is to know of a machine before it measures; null is what it does not tell. */
export interface MachineFacts {
  /** As `Deno.build.os`. */
  readonly os: string;
  /** Logical CPUs of the whole machine, whether or not this process may use them. */
  readonly logicalCpus: number;
  /** Logical CPUs that this process may use. */
  readonly allowedCpus: readonly number[] | null;
  readonly cores: CoreTopology | null;
  /** Whether a core runs several logical CPUs, whether or not this process may use them all. */
  readonly smt: boolean | null;
  /** The frequency governors of the CPUs that this process may use, each once. */
  readonly governors: readonly string[] | null;
  readonly turbo: Turbo | null;
  /** Whether this is a virtual machine. */
  readonly virtual: boolean | null;
  /** The share of CPU time since boot that the host took for others, 0 to 1. */
  readonly stealShare: number | null;
  /** The average number of tasks that ran or wanted to, over the last minute. */
  readonly load1: number | null;
  /** The share of the last 10 s in which some task waited for a CPU, 0 to 1. */
  readonly cpuPressure: number | null;
  readonly quota: CpuQuota | null;
  /** The soft limit, which programs started from here inherit. */
  readonly openFiles: number | "unlimited" | null;
  /** The longest queue of connections that are not accepted yet. */
  readonly somaxconn: number | null;
  readonly portRange: PortRange | null;
  /** Connections that are closed and still hold their ports. */
  readonly timeWait: number | null;
  readonly memory: Memory | null;
  readonly power: Power | null;
  /** Which programs are on the PATH. */
  readonly tools: { readonly taskset: boolean; readonly wrk: boolean; readonly oha: boolean };
}
