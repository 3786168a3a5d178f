import { ok, strictEqual } from "node:assert/strict";
import { openCpuClock, processesOf } from "./cpu_clock.ts";

const LINUX = Deno.build.os === "linux";

Deno.test({
  name: "openCpuClock reads what processes have used, as the system counts it",
  ignore: !LINUX,
  fn(): void {
    using clock = openCpuClock();
    ok(clock !== null);
    const before = clock.read([Deno.pid]) ?? NaN;
    const ticks = (): number => {
      const stat = Deno.readTextFileSync(`/proc/${Deno.pid}/stat`);
      const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13);
      return Number(user) + Number(system);
    };
    const ticksBefore = ticks();
    while (ticks() < ticksBefore + 20);
    const usedMs = ((clock.read([Deno.pid]) ?? NaN) - before) / 1e6;
    ok(usedMs > 100 && usedMs < 1000, `${usedMs} ms for 20 ticks of 10 ms`);
  },
});

Deno.test({
  name: "openCpuClock says nothing of a process that has ended",
  ignore: !LINUX,
  async fn(): Promise<void> {
    using clock = openCpuClock();
    const child = new Deno.Command("true").spawn();
    await child.status;
    strictEqual(clock?.read([Deno.pid, child.pid]), null);
  },
});

Deno.test({
  name: "processesOf finds a program with what it has started",
  ignore: !LINUX,
  async fn(): Promise<void> {
    const child = new Deno.Command("sh", { args: ["-c", "sleep 60 & wait"] }).spawn();
    let found: number[] = [];
    while (found.length < 2) found = processesOf(child.pid);
    ok(found.includes(child.pid));
    for (const pid of found) Deno.kill(pid, "SIGKILL");
    await child.status;
  },
});
