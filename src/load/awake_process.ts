/**
 * A program that keeps one processor from falling asleep: it spins whenever nothing else wants to run.
 *
 * Linux lets it run under the policy SCHED_IDLE alone, which other threads of its session push aside at
 * once; without it, it ends rather than take time from others. Where Linux shares processors out by sessions
 * (autogroup), the policy means nothing between them: there this one, whose own it is, gets the smallest
 * share. The variable CPU names the processor, and PARENT the process that it does not outlive.
 * https://man7.org/linux/man-pages/man7/sched.7.html
 * https://man7.org/linux/man-pages/man2/PR_SET_PDEATHSIG.2const.html
 */
const SCHED_IDLE = 5;
const NICEST = "19";
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9n;
const MASK_BYTES = 128;
const SPINS = 1000;
const THIS_THREAD = 0;

const libc = Deno.dlopen("libc.so.6", {
  prctl: { parameters: ["i32", "u64"], result: "i32" },
  sched_setscheduler: { parameters: ["i32", "i32", "buffer"], result: "i32" },
  sched_setaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
});
libc.symbols.prctl(PR_SET_PDEATHSIG, SIGKILL);
if (Deno.ppid !== Number(Deno.env.get("PARENT"))) throw new Error("Its parent ended before that");
const cpu = Number(Deno.env.get("CPU"));
const mask = new Uint8Array(MASK_BYTES);
mask[cpu >> 3] = 1 << (cpu & 7);
const isAllowed =
  libc.symbols.sched_setscheduler(THIS_THREAD, SCHED_IDLE, new Int32Array(1)) === 0 &&
  libc.symbols.sched_setaffinity(THIS_THREAD, BigInt(MASK_BYTES), mask) === 0;
if (!isAllowed) throw new Error("The policy SCHED_IDLE is not allowed here");
try {
  Deno.writeTextFileSync("/proc/self/autogroup", NICEST, { create: false });
} catch {
  // This Linux does not share processors out by sessions
}
// A pause leaves the rest of its core to the thread beside it
const { pause = () => {} } = Atomics as { pause?: (spins?: number) => void };
for (;;) pause(SPINS);
