/**
 * The physical cores. Each entry lists the logical CPUs of one core that this process may use. With
 * simultaneous multithreading (SMT), a core has several.
 */
export type CoreTopology = readonly (readonly number[])[];

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
  /** Whether the clock may exceed its nominal frequency; the file and the value that disable it. */
  readonly turbo: { readonly on: boolean; readonly control: string; readonly off: string } | null;
  /** Whether this is a virtual machine. */
  readonly virtual: boolean | null;
  /** Share of CPU time since boot that the host of this virtual machine gave to others, 0 to 1. */
  readonly stealShare: number | null;
  /** Load average: the number of tasks that ran or waited, as a mean over the last minute. */
  readonly load1: number | null;
  /** Share of the last 10 s in which some task waited for a CPU, 0 to 1. */
  readonly cpuPressure: number | null;
  /**
   * The limit on CPU time that the control groups of this process set, in cores. `throttledS`:
   * seconds in which the kernel has stopped the group with the smallest limit, added over its CPUs.
   */
  readonly quota: {
    readonly cores: number | "unlimited";
    readonly throttledS: number | null;
  } | null;
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
  /** Whether these programs are on the PATH. */
  readonly tools: { readonly taskset: boolean; readonly wrk: boolean; readonly oha: boolean };
}
