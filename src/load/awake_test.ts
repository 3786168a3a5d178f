import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Child, SpawnOptions } from "../process/child.ts";
import { readText } from "../process/files.ts";
import { ProcessScope } from "../process/scope.ts";
import { Awake, measureWakeUp, openPolling } from "./awake.ts";
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

/**
 * Returns the wake-up latency that all programs together allow, in microseconds; null if the system
 * does not report it.
 */
function allowedUs(): number | null {
  try {
    using device = Deno.openSync("/dev/cpu_dma_latency");
    const value = new Int32Array(1);
    device.readSync(new Uint8Array(value.buffer));
    return value[0] ?? null;
  } catch {
    return null;
  }
}

const before = allowedUs();
const polling = openPolling([0]);
polling?.close();

Deno.test({
  name: "processors are kept awake by a request to Linux, where it takes one, and by no program",
  ignore: polling === null || before === 0, // not supported here, or another program requests it too
  async fn(): Promise<void> {
    const asked: (number | null)[] = [];
    await using scope = new ProcessScope();
    {
      await using awake = new Awake(scope, [0]);
      strictEqual(awake.isAwake, true);
      asked.push(allowedUs());
      awake.pause();
      asked.push(allowedUs());
      awake.goOn();
      asked.push(allowedUs());
    }
    asked.push(allowedUs());
    deepStrictEqual(asked, [0, before, 0, before]);
  },
});

Deno.test("where a processor cannot poll, or is not there, nothing is asked for", () => {
  strictEqual(openPolling([0, 99_999]), null);
});

Deno.test("a ping-pong is timed with processors that sleep, and where they can be with awake ones", async () => {
  await using scope = new ProcessScope();
  const { asleepUs, awakeUs } = await measureWakeUp(scope, []);
  ok(asleepUs > 0);
  strictEqual(awakeUs, null);
  if (Deno.build.os !== "linux") return;
  ok(((await measureWakeUp(scope, [0])).awakeUs ?? 0) > 0);
});
