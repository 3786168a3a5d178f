import { fileURLToPath } from "node:url";
import type { Measurement } from "../model/raw.ts";
import denoConfig from "../../deno.json" with { type: "json" };
import type { LoadGenerator } from "./generator.ts";

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
  latencyNote: null,
  command: () => [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(PROCESS)],
  ask: (job) => JSON.stringify(job),
  parse: (line) => {
    const answer: unknown = JSON.parse(line);
    if (!isMeasurement(answer)) throw new SyntaxError("not a measurement");
    return answer;
  },
};

function isMeasurement(value: unknown): value is Measurement {
  if (typeof value !== "object" || value === null) return false;
  const { durationS, statuses, latency } = value as Partial<Measurement>;
  return typeof durationS === "number" && durationS > 0 && typeof statuses === "object" &&
    latency !== undefined;
}
