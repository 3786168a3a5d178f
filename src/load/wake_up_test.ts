import { ok, strictEqual } from "node:assert/strict";
import { ProcessScope } from "../process/scope.ts";
import { measureWakeUp } from "./wake_up.ts";

Deno.test("a ping-pong is timed with processors that sleep, and where they can be with awake ones", async () => {
  await using scope = new ProcessScope();
  const { asleepUs, awakeUs } = await measureWakeUp(scope, []);
  ok(asleepUs > 0);
  strictEqual(awakeUs, null);
  if (Deno.build.os !== "linux") return;
  ok(((await measureWakeUp(scope, [0])).awakeUs ?? 0) > 0);
});
