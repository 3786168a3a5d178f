import { fileURLToPath } from "node:url";
import denoConfig from "../../deno.json" with { type: "json" };
import { type LoadGenerator, readMeasurement } from "./generator.ts";

/**
 * A load generator that comes with Stampede: a Deno process that reads one job per line and replies
 * with one measurement per line.
 */
export interface BuiltInGenerator extends LoadGenerator {
  readonly version: string;
  /**
   * Origin of the generator, such as `npm:autocannon`. `bench list` shows it instead of a path.
   */
  readonly path: string;
}

/** autocannon through its API, in the version that this project pins. */
export const autocannon: BuiltInGenerator = builtIn(
  new URL("./autocannon_process.ts", import.meta.url),
  {
    id: "autocannon",
    canTalk: false,
    version: denoConfig.imports.autocannon.split("@").at(-1) ?? "",
    path: "npm:autocannon",
  },
);

/** The load generator of Stampede itself: closed and open loops over raw TCP or TLS. */
export const stampede: BuiltInGenerator = builtIn(
  new URL("./driver/window_process.ts", import.meta.url),
  { id: "stampede", canTalk: true, version: denoConfig.version, path: "comes with Stampede" },
);

/** All built-in load generators, the default first. */
export const BUILT_IN_GENERATORS: readonly BuiltInGenerator[] = [autocannon, stampede];

function builtIn(
  main: URL,
  known: Pick<BuiltInGenerator, "id" | "canTalk" | "version" | "path">,
): BuiltInGenerator {
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
