/** All load generators: those that come with Stampede, and separate programs. */
import denoConfig from "../../deno.json" with { type: "json" };
import type { Measurement } from "../model/raw.ts";
import { which } from "../process/files.ts";
import { tlsInUse } from "../process/tls_client.ts";
import { denoRun, type LoadGenerator } from "./generator.ts";
import type { ToolJob, ToolReply } from "./tool_process.ts";
import { ab } from "./tools/ab.ts";
import { h2load } from "./tools/h2load.ts";
import { hey } from "./tools/hey.ts";
import { k6 } from "./tools/k6.ts";
import { oha } from "./tools/oha.ts";
import { readingOf, type Tool, total } from "./tools/tool.ts";
import { wrk } from "./tools/wrk.ts";

/** A load generator that comes with Stampede, and is therefore always installed. */
type BuiltInGenerator = LoadGenerator & FoundGenerator;

/** All built-in load generators, the default first. */
export const BUILT_IN_GENERATORS = [
  // through its API, in the version that this project pins
  builtIn("./autocannon_process.ts", {
    id: "autocannon",
    canTalk: false,
    version: denoConfig.imports.autocannon.split("@").at(-1) ?? "",
    path: "npm:autocannon",
  }),
  // closed and open loops over raw TCP or TLS
  builtIn("./driver/window_process.ts", {
    id: "stampede",
    canTalk: true,
    version: denoConfig.version,
    path: "comes with Stampede",
  }),
] as const;

function builtIn(
  main: string,
  known: Pick<BuiltInGenerator, "id" | "canTalk" | "version" | "path">,
): BuiltInGenerator {
  return {
    ...known,
    isBuiltIn: true,
    threads: "configured",
    sendsHead: true,
    skipsInterim: true,
    http: "1.1",
    tls: ["http/1.1"],
    exposes: [],
    latencyNote: null,
    command: () => denoRun(new URL(main, import.meta.url)),
    ask: (job) => JSON.stringify(job),
    parse: (line) => {
      const reply: Measurement | null = JSON.parse(line);
      if (
        reply !== null && reply.durationS > 0 && typeof reply.durationS === "number" &&
        typeof reply.statuses === "object" && reply.latency !== undefined
      ) return reply;
      throw new SyntaxError("not a measurement");
    },
  };
}

/** All load generators that are separate programs. */
export const TOOLS: readonly Tool[] = [wrk, oha, ab, hey, h2load, k6];

/** Every load generator, the default first. */
export const GENERATORS: readonly LoadGenerator[] = [
  ...BUILT_IN_GENERATORS,
  ...TOOLS.map(external),
];

/** Returns a load generator that runs a tool once for each warm-up and once for each window. */
function external(tool: Tool): LoadGenerator {
  const { requests: canCount, stepS, startsWith } = tool;
  const whole = (seconds: number): number => Math.max(1, Math.ceil(seconds / stepS)) * stepS;
  return {
    ...tool,
    isBuiltIn: false,
    canTalk: false,
    command: () => denoRun(new URL("./tool_process.ts", import.meta.url)),
    ask: ({ origin, request, load }, folder) => {
      const { connections, shards: threads, timeoutS, warmupS } = load;
      const alpn = tlsInUse()?.alpn ?? null;
      const common = { url: origin + request.path, alpn, request, connections, threads, timeoutS };
      const requests = canCount ? load.responses : null;
      const seconds = requests === null ? whole(load.durationS) : null;
      const job: ToolJob = {
        folder,
        warmup: warmupS === 0
          ? null
          : tool.invoke({ ...common, seconds: whole(warmupS), requests: null }),
        window: tool.invoke({ ...common, seconds, requests }),
        startsWith,
        seconds,
      };
      return JSON.stringify(job);
    },
    parse: (line) => {
      const { warmup, window }: ToolReply = JSON.parse(line);
      const before = warmup && readingOf(tool, warmup);
      const reading = readingOf(tool, window);
      const all = [before, reading].flatMap((one) => Object.entries(one?.statuses ?? {}));
      return {
        ...reading,
        allResponses: total(all),
        // no tool reports the following
        checkedBodies: 0,
        wrongResponses: 0,
        wrongResponse: null,
        connectionsOpened: null,
        slicesPerS: [],
        kinds: [],
        open: null,
        warmup: null,
      };
    },
  };
}

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
