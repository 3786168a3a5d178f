import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ProcessScope } from "../process/scope.ts";
import { familyOf, parsePs, readProcesses } from "../process/tree.ts";
import { UsageMeter } from "./usage.ts";

const ignore = Deno.build.os !== "linux";

/** Returns the CPU time of a program and its descendants so far, in microseconds. */
function usedUs(root: number): number {
  const processes = readProcesses() ?? new Map();
  return familyOf(processes, [root]).reduce((sum, pid) => {
    const { userUs, systemUs } = processes.get(pid) ?? { userUs: 0, systemUs: 0 };
    return sum + userUs + systemUs;
  }, 0);
}

async function untilBusy(pid: number, atLeastUs: number): Promise<number> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const us = usedUs(pid);
    if (us >= atLeastUs) return us;
    ok(performance.now() < deadline, `only ${us} us`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test({
  name: "familyOf counts descendants, those that have ended included",
  ignore,
  async fn(): Promise<void> {
    await using scope = new ProcessScope();
    const burn = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    const idle = scope.spawn({ argv: ["sleep", "60"] });
    const parent = scope.spawn({ argv: ["sh", "-c", `(${burn}); (${burn}) & wait; sleep 60`] });
    await untilBusy(parent.pid, 50_000);
    ok(usedUs(idle.pid) < 50_000);
  },
});

Deno.test({
  name: "UsageMeter tells what was used between open and close",
  ignore,
  async fn(): Promise<void> {
    await using scope = new ProcessScope();
    const busy = scope.spawn({ argv: ["sh", "-c", "while :; do :; done"] });
    const before = await untilBusy(busy.pid, 50_000);
    const meter = new UsageMeter({ server: [busy.pid], database: [], generator: [busy.pid] });
    meter.open();
    await untilBusy(busy.pid, before + 500_000); // long enough that the readings' own CPU time does not matter
    meter.close();
    const { server, database, generator, machine, durationS } = meter.usage ?? {};
    strictEqual(database, null);
    ok(durationS && server && generator && machine);
    const used = server.userUs + server.systemUs;
    // The same program is read twice, a moment apart.
    const again = generator.userUs + generator.systemUs;
    ok(Math.abs(used - again) < 0.5 * used, `${used} us and ${again} us`);
    ok(used >= 300_000 && used < 20_000_000, `${used} us`);
    // It is one thread that never sleeps: it runs, or waits to run.
    const wanted = (server.busiestThread ?? 0) + (server.runQueueWait ?? 0);
    ok(wanted > 0.5 && wanted < 1.5, `wanted ${wanted}`);
    ok((server.waitedUs ?? -1) >= 0);
    ok((server.idleRssBytes ?? 0) > 100_000 && (server.peakRssBytes ?? 0) > 100_000);
    ok(machine.idle >= 0 && machine.idle < 1 && machine.steal >= 0 && machine.steal < 1);
  },
});

Deno.test({
  name: "UsageMeter tells the peak of the memory since its load began, not since the start",
  ignore,
  async fn(): Promise<void> {
    await using scope = new ProcessScope();
    const { promise: ready, resolve } = Promise.withResolvers<string>();
    // 200 MB are allocated and freed before the load.
    const code =
      `let big = new Uint8Array(200e6).fill(1); big = null; gc(); gc(); console.log("done");
      await new Promise(() => setInterval(() => {}, 1000));`;
    const argv = [Deno.execPath(), "eval", "--v8-flags=--expose-gc", code];
    const program = scope.spawn({ argv, onLine: resolve });
    await ready;
    const meter = new UsageMeter({ server: [program.pid], database: [], generator: [] });
    meter.open();
    meter.close();
    const { idleRssBytes, peakRssBytes } = meter.usage?.server ?? {};
    ok(idleRssBytes && peakRssBytes && peakRssBytes < idleRssBytes + 50e6, `${peakRssBytes}`);
  },
});

Deno.test("UsageMeter knows nothing of a window that never opened", () => {
  const meter = new UsageMeter({ server: [], database: [], generator: [] });
  meter.close();
  strictEqual(meter.usage, null);
});

Deno.test("parsePs reads what macOS prints", () => {
  const text = "    1     0   1:02.50   2:03.75\n  501     1   0:00.01   0:00.03\n";
  deepStrictEqual([...parsePs(text)], [
    [1, { parent: 0, userUs: 62_500_000, systemUs: 61_250_000 }],
    [501, { parent: 1, userUs: 10_000, systemUs: 20_000 }],
  ]);
});
