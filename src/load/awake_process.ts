/**
 * A program that keeps the processor `CPU` awake until the process `PARENT` ends: it spins.
 *
 * Any other thread of its session preempts it at once, by the policy SCHED_IDLE. If the system
 * refuses that policy, it ends, because it would take time from others. Linux may divide processors
 * between sessions (autogroup). It therefore has a separate session with the smallest share.
 *
 * https://man7.org/linux/man-pages/man7/sched.7.html
 * https://man7.org/linux/man-pages/man2/PR_SET_PDEATHSIG.2const.html
 */
import { keepOn, openLibc, schedule, weighSession } from "../process/scheduling.ts";

/** Niceness that gives a session the smallest share of processors. */
const NICEST = 19;
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9n;
/** Number of pause instructions in one call: so many that the call itself takes little time. */
const SPINS = 1000;
/** Id that stands for the calling thread in system calls of Linux. */
const THIS_THREAD = 0;

const libc = openLibc({ prctl: { parameters: ["i32", "u64"], result: "i32" } });
libc?.symbols.prctl(PR_SET_PDEATHSIG, SIGKILL);
if (Deno.ppid !== Number(Deno.env.get("PARENT"))) {
  throw new Error("The parent process ended before this one had started");
}
const isAllowed = schedule([THIS_THREAD], "idle") &&
  keepOn(THIS_THREAD, Number(Deno.env.get("CPU")));
if (!isAllowed) throw new Error("This system does not allow the policy SCHED_IDLE");
weighSession(NICEST);
// A pause instruction leaves the core to its other hardware thread
const { pause = () => {} } = Atomics as { pause?: (spins?: number) => void };
for (;;) pause(SPINS);
