/** All load generators: those that come with Stampede, and separate programs. */
import denoConfig from "../../deno.json" with { type: "json" };
import { which } from "../process/files.ts";
import { tlsInUse } from "../process/tls_client.ts";
import { denoRun, type LoadGenerator, readMeasurement } from "./generator.ts";
import { ab } from "./tools/ab.ts";
import { h2load } from "./tools/h2load.ts";
import { hey } from "./tools/hey.ts";
import { k6 } from "./tools/k6.ts";
import { oha } from "./tools/oha.ts";
import { type Invocation, type Tool, type ToolOutput, total } from "./tools/tool.ts";
import { wrk } from "./tools/wrk.ts";

/** A load generator that comes with Stampede, as a Deno process. It is always installed. */
interface BuiltInGenerator extends LoadGenerator, FoundGenerator {}

/** autocannon through its API, in the version that this project pins. */
export const autocannon: BuiltInGenerator = builtIn("./autocannon_process.ts", {
  id: "autocannon",
  canTalk: false,
  version: denoConfig.imports.autocannon.split("@").at(-1) ?? "",
  path: "npm:autocannon",
});

/** The load generator of Stampede itself: closed and open loops over raw TCP or TLS. */
export const stampede: BuiltInGenerator = builtIn("./driver/window_process.ts", {
  id: "stampede",
  canTalk: true,
  version: denoConfig.version,
  path: "comes with Stampede",
});

/** All built-in load generators, the default first. */
export const BUILT_IN_GENERATORS: readonly BuiltInGenerator[] = [autocannon, stampede];

function builtIn(
  main: string,
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
    command: () => denoRun(new URL(main, import.meta.url)),
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

/** One job for the process that runs a tool. */
export interface ToolJob {
  /** Folder of the tool's files. */
  readonly folder: string;
  readonly warmup: Invocation | null;
  readonly window: Invocation;
  /** Text that the tool prints when its load starts; null: its load starts at once. */
  readonly startsWith: string | null;
  /** Length of the window in seconds; null if it ends after a number of responses. */
  readonly seconds: number | null;
}

/** The reply of the process that runs a tool. */
export interface ToolReply {
  readonly warmup: ToolOutput | null;
  readonly window: ToolOutput;
}

/** Returns a load generator that runs a tool once for each warm-up and once for each window. */
function external(tool: Tool): LoadGenerator {
  const { id, startsWith, exposes, latencyNote, abilities } = tool;
  const { requests: canCount, stepS, ...others } = abilities;
  const whole = (seconds: number): number => Math.max(1, Math.ceil(seconds / stepS)) * stepS;
  return {
    ...others,
    id,
    canTalk: false,
    checksBodies: false,
    knowsWaves: false,
    exposes,
    latencyNote,
    command: () => denoRun(new URL("./tool_process.ts", import.meta.url)),
    ask: ({ origin, request, load }, folder) => {
      const invoke = (seconds: number | null, requests: number | null): Invocation =>
        tool.invoke({
          url: origin + request.path,
          alpn: tlsInUse()?.alpn ?? null,
          request,
          connections: load.connections,
          threads: load.shards,
          timeoutS: load.timeoutS,
          seconds,
          requests,
        });
      const requests = canCount ? load.responses : null;
      const seconds = requests === null ? whole(load.durationS) : null;
      const job: ToolJob = {
        folder,
        warmup: load.warmupS === 0 ? null : invoke(whole(load.warmupS), null),
        window: invoke(seconds, requests),
        startsWith,
        seconds,
      };
      return JSON.stringify(job);
    },
    parse: (line) => {
      const { warmup, window }: ToolReply = JSON.parse(line);
      const before = warmup && tool.read(warmup);
      const reading = tool.read(window);
      const all = [before, reading].flatMap((one) => Object.entries(one?.statuses ?? {}));
      return { ...reading, ...UNREPORTED, allResponses: total(all) };
    },
  };
}

/** The measurements that no tool reports. */
const UNREPORTED = {
  checkedBodies: 0,
  wrongResponses: 0,
  wrongResponse: null,
  connectionsOpened: null,
  slicesPerS: [],
  kinds: [],
  open: null,
  warmup: null,
};

/** A load generator that is installed. */
export interface FoundGenerator {
  readonly version: string;
  /** Path of the program, or the origin of a built-in generator, such as `npm:autocannon`. */
  readonly path: string;
}

/** A load generator that is not installed. */
export interface MissingGenerator {
  readonly install: string;
}

/** Time limit of a command that prints a version, in milliseconds. */
const TIMEOUT_MS = 5000;

/** Looks for a load generator and reads its version; throws if the id is unknown. */
export async function findGenerator(id: string): Promise<FoundGenerator | MissingGenerator> {
  const builtIn = BUILT_IN_GENERATORS.find((generator) => generator.id === id);
  if (builtIn !== undefined) return { version: builtIn.version, path: builtIn.path };
  const tool = TOOLS.find((tool) => tool.id === id);
  if (tool === undefined) throw new Error(`Unknown load generator "${id}"`);
  const { install, version: { command: [program = "", ...args], pattern } } = tool;
  const path = which(program);
  if (path === null) return { install };
  try {
    // Some tools print their version and then exit with an error.
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const command = new Deno.Command(path, { args, stdin: "null", signal });
    const { stdout, stderr } = await command.output();
    const text = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
    return { version: pattern.exec(text)?.[1] ?? "unknown", path };
  } catch {
    return { install };
  }
}
