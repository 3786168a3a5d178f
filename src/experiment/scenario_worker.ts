/** Worker that loads a scenario file first, so that a file that never ends can be stopped. */
/// <reference lib="deno.worker" />
import { messageOf } from "../model/errors.ts";
import { importScenario, unloadable } from "./scenario_file.ts";

// The file is loaded again in the main thread and then prints its output
const silent = (): void => {};
Object.assign(console, { log: silent, info: silent, debug: silent, warn: silent, error: silent });

self.onmessage = async ({ data: path }: MessageEvent<string>): Promise<void> => {
  // Errors that the module throws in timers and unhandled promises
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
