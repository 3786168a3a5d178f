import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { wakeUps } from "./diagnose.ts";

Deno.test("wakeUps warns where waking takes much of a message's time", () => {
  const { name, status, found, advice } = wakeUps({ asleepUs: 180.4, awakeUs: 60 });
  deepStrictEqual([name, status], ["wake-ups", "warn"]);
  strictEqual(
    found,
    "a message after a silence and its response take 180 µs, and 60 µs if processors are kept awake",
  );
  match(advice ?? "", /slices do not/);
});

Deno.test("wakeUps says why nothing is known", () => {
  const { status, found } = wakeUps("The null server ended");
  deepStrictEqual([status, found], ["unknown", "The null server ended"]);
});

Deno.test("wakeUps is content where waking costs little, or nothing can be kept awake", () => {
  deepStrictEqual(wakeUps({ asleepUs: 60, awakeUs: 55 }).status, "ok");
  const { status, found } = wakeUps({ asleepUs: 60, awakeUs: null });
  deepStrictEqual([status, found], ["ok", "a message after a silence and its response take 60 µs"]);
});
