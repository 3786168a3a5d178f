/**
 * A program that keeps one processor from falling asleep: it spins whenever nothing else wants to run.
 * Linux lets it run under the policy SCHED_IDLE alone, which any other thread pushes aside at once; without
 * it, it ends rather than take time from others. The variable CPU names the processor.
 * https://man7.org/linux/man-pages/man7/sched.7.html
 */
const SCHED_IDLE = 5;
const MASK_BYTES = 128;
const SPINS = 1000;
const THIS_THREAD = 0;

const libc = Deno.dlopen("libc.so.6", {
  sched_setscheduler: { parameters: ["i32", "i32", "buffer"], result: "i32" },
  sched_setaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
});
const cpu = Number(Deno.env.get("CPU"));
const mask = new Uint8Array(MASK_BYTES);
mask[cpu >> 3] = 1 << (cpu & 7);
const isAllowed =
  libc.symbols.sched_setscheduler(THIS_THREAD, SCHED_IDLE, new Int32Array(1)) === 0 &&
  libc.symbols.sched_setaffinity(THIS_THREAD, BigInt(MASK_BYTES), mask) === 0;
if (!isAllowed) throw new Error("The policy SCHED_IDLE is not allowed here");
// A pause leaves the rest of its core to the thread beside it
const { pause = () => {} } = Atomics as { pause?: (spins?: number) => void };
for (;;) pause(SPINS);
