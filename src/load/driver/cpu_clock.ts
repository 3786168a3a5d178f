import { familyOf, readProcesses } from "../../process/tree.ts";

/** The C library of Linux systems that Deno supports. */
const LIBC = "libc.so.6";
/** The last three bits of a clock id: the CPU time of a whole process. */
const CPUCLOCK_SCHED = 2;

/**
 * Reads the CPU time of processes to the nanosecond. Each process has a clock that includes all its
 * threads, also those that have ended.
 *
 * One reading of the clock took 0.6 µs; a reading of seven threads from /proc took 43 µs. On a busy
 * machine they took 6 µs and 757 µs.
 *
 * The clock of a running thread is updated at scheduler ticks, so it may be milliseconds old. Read
 * it while the process sleeps.
 *
 * https://man7.org/linux/man-pages/man3/clock_getcpuclockid.3.html
 */
export class CpuClock implements Disposable {
  readonly #libc;
  readonly #time: BigInt64Array<ArrayBuffer> = new BigInt64Array(2);

  private constructor() {
    this.#libc = Deno.dlopen(LIBC, {
      clock_gettime: { parameters: ["i32", "buffer"], result: "i32" },
    });
  }

  /** Opens the clock; returns null if the system has none. */
  static open(): CpuClock | null {
    if (Deno.build.os !== "linux") return null;
    try {
      return new CpuClock();
    } catch {
      return null; // another C library, or no permission
    }
  }

  /** Returns the CPU time of processes since their start, in nanoseconds; null if one has ended. */
  read(pids: readonly number[]): number | null {
    let total = 0;
    for (const pid of pids) {
      const clock = (~pid << 3) | CPUCLOCK_SCHED;
      if (this.#libc.symbols.clock_gettime(clock, this.#time) !== 0) return null;
      const [seconds = 0n, nanoseconds = 0n] = this.#time;
      total += Number(seconds) * 1e9 + Number(nanoseconds);
    }
    return total;
  }

  [Symbol.dispose](): void {
    this.#libc.close();
  }
}

/**
 * Returns the ids of this process and of all its descendants, in ascending order; none if the system
 * does not list processes.
 */
export function processesOf(pid: number): number[] {
  const processes = readProcesses();
  return processes === null ? [] : familyOf(processes, [pid]).sort((a, b) => a - b);
}
