import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { ProcessScope } from "../process/scope.ts";
import { Awake } from "./awake.ts";
import { IdlePolling } from "./idle_polling.ts";

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
const polling = IdlePolling.request([0]);
polling?.[Symbol.dispose]();

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
  strictEqual(IdlePolling.request([0, 99_999]), null);
});
