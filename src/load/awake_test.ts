import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Child, SpawnOptions } from "../process/child.ts";
import { ProcessScope } from "../process/scope.ts";
import { readText } from "../process/files.ts";
import { Awake } from "./awake.ts";
import { until } from "./testdata/testing.ts";

const LINUX = Deno.build.os === "linux";

/** A scope that records its programs, because tests of other files start some in the same process. */
class KnownScope extends ProcessScope {
  readonly pids: number[] = [];

  override spawn(options: SpawnOptions): Child {
    const child = super.spawn(options);
    this.pids.push(child.pid);
    return child;
  }

  /** The programs that are spinning now. */
  get spinners(): number[] {
    return this.pids.filter((pid) =>
      readText(`/proc/${pid}/cmdline`)?.includes("awake_process") === true
    );
  }
}

Deno.test({
  name:
    "processors are kept awake until that is disposed, by programs that leave others their time",
  ignore: !LINUX,
  async fn(): Promise<void> {
    await using scope = new KnownScope();
    {
      await using awake = new Awake(scope, [0, 0], null);
      await until(() => scope.spinners.length === 2);
      strictEqual(awake.isAwake, true);
      const [pid] = scope.spinners;
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
          return null; // this Linux has no autogroups
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
      awake.pause(); // it can also be disposed of in a pause
    }
    deepStrictEqual(scope.spinners, []);
    await using none = new Awake(scope, []);
    await using refused = new Awake(scope, [99_999], null); // no such processor
    await until(() => !refused.isAwake);
    strictEqual(none.isAwake, false);
  },
});
