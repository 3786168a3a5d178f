import { fileURLToPath } from "node:url";
import denoConfig from "../../deno.json" with { type: "json" };
import { type LoadGenerator, readMeasurement } from "./generator.ts";

const PROCESS = new URL("./autocannon_process.ts", import.meta.url);

/** The version that this project pins. */
export const AUTOCANNON_VERSION: string = denoConfig.imports.autocannon.split("@").at(-1) ?? "";

/** autocannon, through its API, in a Deno process of its own. */
export const autocannon: LoadGenerator = {
  id: "autocannon",
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
