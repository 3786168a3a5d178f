import { fileURLToPath } from "node:url";
import denoConfig from "../../deno.json" with { type: "json" };
import { type LoadGenerator, readMeasurement } from "./generator.ts";

const PROCESS = new URL("./driver/window_process.ts", import.meta.url);

/** It comes with Stampede. */
export const STAMPEDE_VERSION: string = denoConfig.version;

/** Stampede's own load generator: a closed loop over raw TCP, in a Deno process of its own. */
export const stampede: LoadGenerator = {
  id: "stampede",
  threads: "process",
  sendsHead: true,
  http: "1.1",
  checksBodies: true,
  knowsWaves: true,
  latencyNote: null,
  command: () => [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(PROCESS)],
  ask: (job) => JSON.stringify(job),
  parse: readMeasurement,
};
