import { fileURLToPath } from "node:url";
import denoConfig from "../../deno.json" with { type: "json" };
import { which } from "../process/files.ts";
import { external } from "./external.ts";
import { type LoadGenerator, readMeasurement } from "./generator.ts";
import { ab } from "./tools/ab.ts";
import { h2load } from "./tools/h2load.ts";
import { hey } from "./tools/hey.ts";
import { k6 } from "./tools/k6.ts";
import { oha } from "./tools/oha.ts";
import type { Tool } from "./tools/tool.ts";
import { wrk } from "./tools/wrk.ts";

/**
 * A load generator that comes with Stampede: a Deno process that reads one job per line and replies
 * with one measurement per line.
 */
interface BuiltInGenerator extends LoadGenerator {
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

/** All load generators that are separate programs. */
export const TOOLS: readonly Tool[] = [wrk, oha, ab, hey, h2load, k6];

/** Every load generator, the default first. */
export const GENERATORS: readonly LoadGenerator[] = [
  ...BUILT_IN_GENERATORS,
  ...TOOLS.map(external),
];

/** A load generator that is installed. */
export interface FoundGenerator {
  readonly version: string;
  /**
   * Path of the program. For a built-in generator: where it comes from, such as `npm:autocannon`.
   */
  readonly path: string;
}

/** A load generator that is not installed. */
export interface MissingGenerator {
  readonly install: string;
}

/** Time limit of a command that prints a version, in milliseconds. */
const TIMEOUT_MS = 5000;

/**
 * Looks for a load generator and reads its version.
 *
 * @throws {Error} if the id is unknown.
 */
export async function findGenerator(id: string): Promise<FoundGenerator | MissingGenerator> {
  const builtIn = BUILT_IN_GENERATORS.find((generator) => generator.id === id);
  if (builtIn !== undefined) return { version: builtIn.version, path: builtIn.path };
  const tool = TOOLS.find((tool) => tool.id === id);
  if (tool === undefined) throw new Error(`Unknown load generator "${id}"`);
  const { command: [program = "", ...args], pattern } = tool.version;
  const path = which(program);
  if (path === null) return { install: tool.install };
  try {
    // Some tools print their version and then exit with an error.
    const { stdout, stderr } = await new Deno.Command(path, {
      args,
      stdin: "null",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).output();
    const text = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
    return { version: pattern.exec(text)?.[1] ?? "unknown", path };
  } catch {
    return { install: tool.install };
  }
}
