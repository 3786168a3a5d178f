import { deepStrictEqual, notDeepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { median } from "../stats/median.ts";
import { arrivalsOf, Metronome, now } from "./metronome.ts";
import { TIDY, until } from "./testdata/testing.ts";

/** One call: its scheduled time and its real time. */
interface Tick {
  readonly due: number;
  readonly at: number;
}

/** Runs a metronome until it has called for this long, whenever that is. */
async function listen(metronome: Metronome, intervalMs: number, ms: number): Promise<Tick[]> {
  const ticks: Tick[] = [];
  metronome.start({ kind: "even", gapMs: intervalMs }, (due) => ticks.push({ due, at: now() }));
  await until(() => spanOf(ticks) >= ms);
  return ticks;
}

function spanOf(ticks: readonly Tick[]): number {
  return (ticks.at(-1)?.due ?? 0) - (ticks[0]?.due ?? 0);
}

/** Returns the intervals between consecutive calls, without duplicates. */
function gapsOf(ticks: readonly Tick[]): Set<number> {
  return new Set(ticks.slice(1).map(({ due }, i) => due - (ticks[i]?.due ?? NaN)));
}

Deno.test("Metronome calls once for each interval of its clock, never early", TIDY, async () => {
  using metronome = new Metronome();
  const startedAt = now();
  const ticks = await listen(metronome, 12.5, 1000);
  metronome.stop();
  deepStrictEqual(gapsOf(ticks), new Set([12.5]));
  ok((ticks[0]?.due ?? 0) >= startedAt + 12.5);
  ok(ticks.every(({ due, at }) => at > due - 1), "the clocks of the two threads differ");
});

Deno.test("Metronome makes up for calls that a busy thread held up", TIDY, async () => {
  using metronome = new Metronome();
  const ticks = await listen(metronome, 10, 10);
  const from = now();
  while (now() < from + 600); // no calls can be received now
  const heldUntil = now();
  await until(() => (ticks.at(-1)?.due ?? 0) >= heldUntil);
  deepStrictEqual(gapsOf(ticks), new Set([10]), "none is missing");
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
  while (now() < (fast.at(-1)?.at ?? 0) + 50); // calls of the old pace are still pending
  const slow = await listen(metronome, 50, 200);
  deepStrictEqual(gapsOf(slow), new Set([50]));
  strictEqual(fast.length, length);
});

Deno.test("Metronome ends its thread with its scope, however it was left", async () => {
  const url = new URL("./metronome.ts", import.meta.url);
  const program = (rest: string): string => `
    const { Metronome } = await import(${JSON.stringify(url.href)});
    { using metronome = new Metronome();
      await new Promise((resolve) => metronome.start({ kind: "even", gapMs: 1 }, resolve));
      ${rest}
    }
    console.log("done");`;
  for (
    const rest of [
      "",
      "metronome.stop();",
      'metronome.start({ kind: "even", gapMs: 3_600_000 }, () => {});',
    ]
  ) {
    const ended = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--quiet", program(rest)],
      signal: AbortSignal.timeout(30_000), // a thread that does not end keeps its process alive
    }).output();
    deepStrictEqual([ended.signal, new TextDecoder().decode(ended.stdout)], [null, "done\n"]);
  }
});

Deno.test(
  "Metronome that spins is later by less, at a pace that leaves time for it",
  TIDY,
  async () => {
    const lateness = async (spins: boolean): Promise<number> => {
      using metronome = new Metronome(spins);
      const ticks = await listen(metronome, 5, 1500);
      ok(ticks.every(({ due, at }) => at > due - 1), "never early");
      deepStrictEqual(gapsOf(ticks), new Set([5]), "none is missing");
      return median(ticks.map(({ due, at }) => at - due));
    };
    const [spinning, sleeping] = [await lateness(true), await lateness(false)];
    ok(spinning < sleeping, `${spinning} ms when it spins, ${sleeping} ms otherwise`);
  },
);

function first(count: number, pace: Parameters<typeof arrivalsOf>[0]): number[] {
  return arrivalsOf(pace).take(count).toArray();
}

Deno.test("arrivalsOf leaves equal gaps at an even pace", () => {
  deepStrictEqual(first(4, { kind: "even", gapMs: 12.5 }), [12.5, 25, 37.5, 50]);
});

Deno.test("arrivalsOf is a Poisson process, the same for the same seed", () => {
  const pace = { kind: "poisson", gapMs: 2, seed: 1 } as const;
  const arrivals = first(100_000, pace);
  deepStrictEqual(first(5, pace), arrivals.slice(0, 5));
  notDeepStrictEqual(first(5, { ...pace, seed: 2 }), arrivals.slice(0, 5));
  const gaps = arrivals.map((at, i) => at - (arrivals[i - 1] ?? 0));
  const mean = gaps.reduce((sum, gap) => sum + gap) / gaps.length;
  ok(Math.abs(mean / 2 - 1) < 0.01, `${mean}`);
  // In an exponential distribution, the share below t is 1 - exp(-t / mean)
  for (const t of [0.1, 1, 2, 5, 10]) {
    const share = gaps.filter((gap) => gap < t).length / gaps.length;
    ok(Math.abs(share - (1 - Math.exp(-t / 2))) < 0.005, `${t}: ${share}`);
  }
  // Numbers of arrivals in steps of 20 ms: their variance equals their mean
  const counts = new Array(9_000).fill(0);
  for (const at of arrivals) if (at < 180_000) counts[Math.floor(at / 20)]++;
  const average = counts.reduce((sum, n) => sum + n) / counts.length;
  const variance = counts.reduce((sum, n) => sum + (n - average) ** 2, 0) / counts.length;
  ok(Math.abs(variance / average - 1) < 0.05, `${variance / average}`);
});

Deno.test({
  name: "the clock of the threads does not depend on the time of day",
  ignore: Deno.build.os !== "linux",
  fn(): void {
    const uptimeMs = 1000 * Number(Deno.readTextFileSync("/proc/uptime").split(" ")[0]);
    // The uptime includes the time in which a machine was suspended
    ok(now() < uptimeMs + 1000 && now() > 0, `${now()} of ${uptimeMs} ms`);
  },
});
