import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { ProcessScope } from "../process/scope.ts";
import { Awake } from "./awake.ts";
import { until } from "./testdata/testing.ts";

const LINUX = Deno.build.os === "linux";

/** The programs that this process has started to keep processors awake. */
function spinners(): string[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => name).filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      const command = Deno.readTextFileSync(`/proc/${pid}/cmdline`);
      return parent === Deno.pid && command.includes("awake_process");
    } catch {
      return false; // it has ended meanwhile
    }
  });
}

Deno.test({
  name:
    "processors are kept awake until that is disposed, by programs that leave others their time",
  ignore: !LINUX,
  async fn(): Promise<void> {
    await using scope = new ProcessScope();
    {
      await using awake = new Awake(scope, [0, 0]);
      await until(() => spinners().length === 2);
      strictEqual(awake.isAwake, true);
      const [pid] = spinners();
      const IDLE = "5"; // SCHED_IDLE, the 41st field of /proc/PID/stat
      const policy = (): string | undefined => {
        const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
        return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[38];
      };
      await until(() => policy() === IDLE);
      const share = (): string | null => {
        try {
          return Deno.readTextFileSync(`/proc/${pid}/autogroup`);
        } catch {
          return null; // this Linux does not share by sessions
        }
      };
      await until(() => share() === null || / nice 19\n$/.test(share() ?? ""));
      const state = (): string | undefined => {
        const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
        return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[0];
      };
      awake.pause();
      await until(() => state() === "T");
      awake.goOn();
      await until(() => state() === "R");
      awake.pause(); // it can be disposed of then, too
    }
    deepStrictEqual(spinners(), []);
    await using none = new Awake(scope, []);
    await using refused = new Awake(scope, [99_999]); // no such processor
    await until(() => !refused.isAwake);
    strictEqual(none.isAwake, false);
  },
});
