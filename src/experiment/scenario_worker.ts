/** The thread that loads a scenario file first: one that never ends, or ends the process, harms nothing else. */
/// <reference lib="deno.worker" />
import { messageOf } from "../model/errors.ts";
import { importScenario, unloadable } from "./scenario_file.ts";

// It will say the same when it is loaded again
const silent = (): void => {};
Object.assign(console, { log: silent, info: silent, debug: silent, warn: silent, error: silent });

self.onmessage = async ({ data: path }: MessageEvent<string>): Promise<void> => {
  // What nothing waits for, a moment later
  self.addEventListener("error", (event) => {
    event.preventDefault();
    self.postMessage(unloadable(path, event.error).message);
  });
  self.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    self.postMessage(unloadable(path, event.reason).message);
  });
  try {
    await importScenario(path);
    self.postMessage(null);
  } catch (error) {
    self.postMessage(messageOf(error));
  }
};
