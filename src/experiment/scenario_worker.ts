/** Worker that loads a scenario file first, so that an endless module can be stopped. */
/// <reference lib="deno.worker" />
import { messageOf } from "../model/errors.ts";
import { importScenario, unloadable } from "./scenario_file.ts";

// The main thread loads the file again, and prints its output then
const silent = (): void => {};
Object.assign(console, { log: silent, info: silent, debug: silent, warn: silent, error: silent });

self.onmessage = async ({ data: path }: MessageEvent<string>): Promise<void> => {
  // Errors in the module's timers and unhandled promises
  const report = (event: Event, error: unknown): void => {
    event.preventDefault();
    self.postMessage(unloadable(path, error).message);
  };
  self.addEventListener("error", (event) => report(event, event.error));
  self.addEventListener("unhandledrejection", (event) => report(event, event.reason));
  try {
    await importScenario(path);
    self.postMessage(null);
  } catch (error) {
    self.postMessage(messageOf(error));
  }
};
