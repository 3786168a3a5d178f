import { strictEqual } from "node:assert/strict";
import { endTimerSlack } from "./metronome_worker.ts";

/** Returns the timer slack of this thread in nanoseconds. */
function slackNs(): number {
  const thread = Deno.readLinkSync("/proc/thread-self").split("/").at(-1);
  return Number(Deno.readTextFileSync(`/proc/${thread}/timerslack_ns`));
}

Deno.test({
  name: "a thread without timer slack is woken when its time has come",
  ignore: Deno.build.os !== "linux",
  fn(): void {
    const before = slackNs();
    strictEqual(endTimerSlack(), true);
    strictEqual(slackNs(), 1, `${before} ns before`);
  },
});
