import { ok } from "node:assert/strict";
import { sharedNow } from "./shared_clock.ts";

const CLOCK = new URL("./shared_clock.ts", import.meta.url);

Deno.test("sharedNow is the same clock in another process", async () => {
  const before = sharedNow();
  const code = `console.log((await import("${CLOCK.href}")).sharedNow())`;
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["eval", code] }).output();
  const there = Number(new TextDecoder().decode(stdout));
  const after = sharedNow();
  ok(before <= there && there <= after, `${before}, ${there}, ${after}`);
  ok(after > before, "it goes on");
});
