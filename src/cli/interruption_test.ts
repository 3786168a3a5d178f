import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Interruption } from "./interruption.ts";

Deno.test("an interruption listens once for each signal, however often it is asked", () => {
  const listened: Deno.Signal[] = [];
  const add = Deno.addSignalListener;
  const handlers: (() => void)[] = [];
  Deno.addSignalListener = (signal, handler) => {
    listened.push(signal);
    handlers.push(handler);
  };
  try {
    const interruption = new Interruption();
    deepStrictEqual(listened, [], "a command that does not ask is ended by its signal");
    const { signal } = interruption;
    strictEqual(interruption.signal, signal);
    strictEqual(new Set(listened).size, listened.length);
    handlers[0]?.();
    strictEqual(String(signal.reason), `Interrupted: Interrupted by ${listened[0]}`);
    handlers[0]?.(); // the same key, passed on by deno task
  } finally {
    Deno.addSignalListener = add;
  }
});
