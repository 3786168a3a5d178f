import { fileURLToPath } from "node:url";
import type { Load } from "../model/experiment.ts";
import type { Measurement } from "../model/raw.ts";
import { tlsInUse } from "../process/tls_client.ts";
import type { LoadGenerator } from "./generator.ts";
import type { Invocation, Reading, Tool, ToolLoad, ToolOutput } from "./tools/tool.ts";

const PROCESS = new URL("./tool_process.ts", import.meta.url);

/** One job for the process that runs a tool, sent as one line. */
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

/** The reply of the process that runs a tool, sent as one line. */
export interface ToolReply {
  readonly warmup: ToolOutput | null;
  readonly window: ToolOutput;
}

/** Returns a load generator that runs a tool once for each warm-up and once for each window. */
export function external(tool: Tool): LoadGenerator {
  const { abilities } = tool;
  return {
    id: tool.id,
    threads: abilities.threads,
    sendsHead: abilities.head,
    skipsInterim: abilities.interim,
    canTalk: false,
    http: abilities.http,
    tls: abilities.tls,
    checksBodies: false,
    knowsWaves: false,
    exposes: tool.exposes,
    latencyNote: tool.latencyNote,
    command: () => [Deno.execPath(), "run", "--quiet", "-A", fileURLToPath(PROCESS)],
    ask: ({ origin, request, load }, folder) => {
      const of = (part: Pick<ToolLoad, "seconds" | "requests">): ToolLoad => ({
        url: origin + request.path,
        alpn: tlsInUse()?.alpn ?? null,
        request,
        connections: load.connections,
        threads: load.shards,
        timeoutS: load.timeoutS,
        ...part,
      });
      const window = lengthOf(load, tool);
      const warmup = { seconds: whole(load.warmupS, tool), requests: null };
      const job: ToolJob = {
        folder,
        warmup: load.warmupS === 0 ? null : tool.invoke(of(warmup)),
        window: tool.invoke(of(window)),
        startsWith: tool.startsWith,
        seconds: window.seconds,
      };
      return JSON.stringify(job);
    },
    parse: (line) => {
      const { warmup, window } = JSON.parse(line) as ToolReply;
      const before = warmup && tool.read(warmup);
      return measurementOf(tool.read(window), before);
    },
  };
}

/** Returns the length of a window in seconds, or its number of requests if the tool supports that. */
function lengthOf(load: Load, tool: Tool): Pick<ToolLoad, "seconds" | "requests"> {
  return load.responses !== null && tool.abilities.requests
    ? { seconds: null, requests: load.responses }
    : { seconds: whole(load.durationS, tool), requests: null };
}

/** Rounds seconds up to the tool's step. */
function whole(seconds: number, { abilities: { stepS } }: Tool): number {
  return Math.max(1, Math.ceil(seconds / stepS)) * stepS;
}

function measurementOf(window: Reading, warmup: Reading | null): Measurement {
  const responses = ({ statuses }: Reading): number =>
    Object.values(statuses).reduce((total, count) => total + count, 0);
  return {
    ...window,
    allResponses: responses(window) + (warmup === null ? 0 : responses(warmup)),
    checkedBodies: 0,
    wrongResponses: 0,
    wrongResponse: null,
    connectionsOpened: null,
    slicesPerS: [],
    kinds: [],
    open: null,
    warmup: null,
  };
}
