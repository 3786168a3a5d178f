import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Metronome, now } from "./metronome.ts";
import { sleep, TIDY, until } from "./testdata/testing.ts";

/** Lets a metronome tick until it has begun and for a while longer; what it called with, and when. */
async function listen(
  metronome: Metronome,
  intervalMs: number,
  ms: number,
): Promise<{ due: number; at: number }[]> {
  const ticks: { due: number; at: number }[] = [];
  metronome.start(intervalMs, (due) => ticks.push({ due, at: now() }));
  await until(() => ticks.length > 0); // its thread has to be loaded first
  await sleep(ms);
  return ticks;
}

Deno.test("Metronome calls about once in each interval, never early", TIDY, async () => {
  using metronome = new Metronome();
  const ticks = await listen(metronome, 10, 1000);
  metronome.stop();
  ok(ticks.length > 60 && ticks.length < 140, `${ticks.length} calls`);
  ok(ticks.every(({ due, at }) => at > due - 1), "the clocks of the two threads differ");
});

Deno.test("Metronome names times that lie exactly one interval apart", TIDY, async () => {
  using metronome = new Metronome();
  const ticks = await listen(metronome, 12.5, 600);
  const gaps = ticks.slice(1).map(({ due }, i) => due - (ticks[i]?.due ?? NaN));
  deepStrictEqual(new Set(gaps), new Set([12.5]));
});

Deno.test("Metronome makes up for calls that a busy thread held up", TIDY, async () => {
  using metronome = new Metronome();
  const ticks: number[] = [];
  metronome.start(10, (due) => ticks.push(due));
  await until(() => ticks.length > 0);
  const from = now();
  while (now() < from + 600); // nobody listens now
  await sleep(50);
  const [first = NaN] = ticks;
  ok(Math.abs(ticks.length - (now() - first) / 10) < 20, `${ticks.length} calls`);
});

Deno.test("Metronome is silent once it has stopped, and can start again", TIDY, async () => {
  using metronome = new Metronome();
  const before = await listen(metronome, 5, 200);
  metronome.stop();
  const { length } = before;
  const again = await listen(metronome, 5, 200);
  ok(length > 0 && again.length > 0);
  strictEqual(before.length, length);
});

Deno.test("Metronome forgets the earlier pace when it starts anew", TIDY, async () => {
  using metronome = new Metronome();
  const fast = await listen(metronome, 2, 200);
  const { length } = fast;
  while (now() < (fast.at(-1)?.at ?? 0) + 50); // calls of the old pace are on their way
  const slow = await listen(metronome, 50, 500);
  ok(slow.length > 2 && slow.length < 15, `${slow.length} calls`);
  strictEqual(fast.length, length);
});

Deno.test("Metronome ends its thread with its scope, however it was left", async () => {
  const url = new URL("./metronome.ts", import.meta.url);
  const program = (rest: string): string => `
    const { Metronome } = await import(${JSON.stringify(url.href)});
    { using metronome = new Metronome();
      await new Promise((resolve) => metronome.start(1, resolve));
      ${rest}
    }
    console.log("done");`;
  for (const rest of ["", "metronome.stop();", "metronome.start(3_600_000, () => {});"]) {
    const ended = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--quiet", program(rest)],
      signal: AbortSignal.timeout(30_000), // a thread that lives on keeps its process alive
    }).output();
    deepStrictEqual([ended.signal, new TextDecoder().decode(ended.stdout)], [null, "done\n"]);
  }
});
