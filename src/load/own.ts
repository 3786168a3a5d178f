import { fileURLToPath } from "node:url";
import denoConfig from "../../deno.json" with { type: "json" };
import { type LoadGenerator, readMeasurement } from "./generator.ts";

/** A load generator that comes with Stampede: a Deno process that speaks its lines itself. */
export interface OwnGenerator extends LoadGenerator {
  readonly version: string;
  /** Where it comes from. */
  readonly path: string;
}

/** autocannon, through its API, in the version that this project pins. */
export const autocannon: OwnGenerator = own(new URL("./autocannon_process.ts", import.meta.url), {
  id: "autocannon",
  canTalk: false,
  version: denoConfig.imports.autocannon.split("@").at(-1) ?? "",
  path: "npm:autocannon",
});

/** Stampede's own load generator: a closed loop over raw TCP. */
export const stampede: OwnGenerator = own(
  new URL("./driver/window_process.ts", import.meta.url),
  { id: "stampede", canTalk: true, version: denoConfig.version, path: "comes with Stampede" },
);

/** Those load generators, the default first. */
export const OWN_GENERATORS: readonly OwnGenerator[] = [autocannon, stampede];

function own(
  main: URL,
  known: Pick<OwnGenerator, "id" | "canTalk" | "version" | "path">,
): OwnGenerator {
  return {
    ...known,
    threads: "process",
    sendsHead: true,
    skipsInterim: true,
    http: "1.1",
    tls: ["http/1.1"],
    checksBodies: true,
    knowsWaves: true,
    exposes: [],
    latencyNote: null,
    command: () => [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(main)],
    ask: (job) => JSON.stringify(job),
    parse: readMeasurement,
  };
}
