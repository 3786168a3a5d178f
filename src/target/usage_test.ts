import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Household } from "../process/household.ts";
import { readCpuTimes, UsageMeter } from "./usage.ts";

const ignore = Deno.build.os !== "linux";

async function untilBusy(pid: number, atLeastUs: number): Promise<number> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const [time] = readCpuTimes([pid]);
    const us = (time?.userUs ?? 0) + (time?.systemUs ?? 0);
    if (us >= atLeastUs) return us;
    ok(performance.now() < deadline, `only ${us} us`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test({
  name: "readCpuTimes counts descendants, those that have ended included",
  ignore,
  async fn(): Promise<void> {
    await using household = new Household();
    const burn = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    const idle = household.spawn({ argv: ["sleep", "60"] });
    const parent = household.spawn({ argv: ["sh", "-c", `(${burn}); (${burn}) & wait; sleep 60`] });
    await untilBusy(parent.pid, 50_000);
    const [idleTime] = readCpuTimes([idle.pid]);
    ok((idleTime?.userUs ?? 1) + (idleTime?.systemUs ?? 1) < 50_000);
  },
});

Deno.test({
  name: "UsageMeter tells what was used between open and close",
  ignore,
  async fn(): Promise<void> {
    await using household = new Household();
    const busy = household.spawn({ argv: ["sh", "-c", "while :; do :; done"] });
    const before = await untilBusy(busy.pid, 50_000);
    const meter = new UsageMeter();
    meter.open({ server: busy.pid, database: null, generator: busy.pid });
    await untilBusy(busy.pid, before + 100_000);
    meter.close();
    const { server, database, generator } = meter.usage;
    strictEqual(database, null);
    deepStrictEqual(server, generator);
    const used = (server?.userUs ?? 0) + (server?.systemUs ?? 0);
    ok(used >= 100_000 && used < 20_000_000, `${used} us`);
  },
});

Deno.test("UsageMeter knows nothing of a window that never opened", () => {
  deepStrictEqual(new UsageMeter().usage, { server: null, database: null, generator: null });
});
