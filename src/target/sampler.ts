/** Samples the stacks of servers through V8's inspector. */
import { basename } from "node:path";
import { Failure, messageOf } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";
import type { CpuProfile } from "../model/profile.ts";
import type { Reason } from "../model/reason.ts";
import type { Server } from "../model/server.ts";
import { pause } from "../process/pause.ts";
import { keepOn, schedule, threadsOf } from "../process/scheduling.ts";
import { processorOf } from "../process/tree.ts";

/** Samples the stacks of a server's threads between two moments. */
export interface Sampler {
  start(): Promise<void>;
  /** Returns the samples since the start, one profile per thread. */
  stop(): Promise<CpuProfile[]>;
  /** Returns the used bytes of V8's heaps, of all threads. */
  heapBytes(): Promise<number>;
}

/** Sampling interval in µs. V8's 1000 are too coarse for a server with little JavaScript. */
const INTERVAL_US = 100;
/** Line that Deno and Node.js print to standard error for each thread with an inspector. */
const LISTENING = /^Debugger listening on (ws:\/\/127\.0\.0\.1:\S+)/gm;
const POLL_MS = 20;
const READY_TIMEOUT_MS = 2000;

/**
 * Makes a sampler of each thread for which the server's standard error (`log`) shows an inspector
 * address, or throws a `Failure`.
 *
 * V8 samples from a separate thread. If all processors are busy, Linux runs that thread only while
 * the server sleeps, and the samples miss almost all of the server's work. The threads of the
 * server's process (`pid`) therefore run at idle priority while they are sampled. If `isExact`, only its
 * main thread does: it would wait for V8's helpers, and the samples of a function in which it waits would
 * be tens of milliseconds.
 *
 * The main thread and V8's sampling thread stay on one processor. From another one, the signal for a sample
 * arrives microseconds late, or early if a system call ends meanwhile: the first functions after a
 * system call then had a sixth of the samples of later ones.
 */
export async function samplerOf(
  log: () => string,
  pid: number | null,
  isExact = false,
): Promise<Sampler & Disposable> {
  const found = (): string[] =>
    Array.from(log().matchAll(LISTENING), ([, address = ""]) => address);
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (found().length === 0 && performance.now() < deadline) await pause(POLL_MS);
  const addresses = new Set(found());
  if (addresses.size === 0) {
    throw new Failure("Cannot profile the server: it does not print its inspector's address");
  }
  using opened = new DisposableStack();
  const inspectors: Inspector[] = [];
  for (const address of addresses) {
    const inspector = opened.use(await openInspector(address));
    inspectors.push(inspector);
    await inspector.send("Profiler.enable");
    await inspector.send("Profiler.setSamplingInterval", { interval: INTERVAL_US });
  }
  const connections = opened.move();
  let idle: readonly number[] = [];
  return {
    start: async () => {
      // The list is read before V8 starts its sampling threads
      idle = pid === null ? [] : isExact ? [pid] : threadsOf(pid);
      const processor = pid === null ? null : processorOf(pid);
      if (pid !== null && processor !== null) keepOn(pid, processor);
      await Promise.all(inspectors.map(({ send }) => send("Profiler.start")));
      schedule(idle, "idle");
    },
    stop: async () => {
      schedule(idle, "normal");
      const results = await Promise.all(inspectors.map(({ send }) => send("Profiler.stop")));
      return results.map((result) => (result as { readonly profile: CpuProfile }).profile);
    },
    heapBytes: async () => {
      const usages = await Promise.all(inspectors.map(({ send }) => send("Runtime.getHeapUsage")));
      return (usages as { readonly usedSize: number }[])
        .reduce((sum, { usedSize }) => sum + usedSize, 0);
    },
    [Symbol.dispose]: () => connections.dispose(),
  };
}

const ANSWER_TIMEOUT_MS = 10_000; // a server under load is slow

/** A connection to the V8 inspector of one thread. */
interface Inspector extends Disposable {
  /** Sends a command such as `Profiler.start`, and returns the result in the reply. */
  readonly send: (method: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** https://chromedevtools.github.io/devtools-protocol/v8/ */
async function openInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve();
  socket.onerror = () => opened.reject(new Failure(`Cannot connect to the inspector at ${url}`));
  try {
    await replyInTime(opened.promise, "connect");
  } catch (error) {
    socket.close();
    throw error;
  }
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const fail = (why: string): void => {
    for (const { reject } of waiting.values()) reject(new Failure(why));
  };
  socket.onclose = () => fail("The inspector did not reply: it closed the connection");
  socket.onerror = () => fail("The inspector did not reply: the connection broke");
  socket.onmessage = ({ data }) => {
    const { id, result, error } = JSON.parse(data);
    if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Failure(`The inspector refused: ${error.message}`));
  };
  let sent = 0;
  return {
    send: async (method, params = {}) => {
      const id = ++sent;
      const reply = Promise.withResolvers<unknown>();
      reply.promise.catch(() => {}); // the server may end between two commands
      waiting.set(id, reply);
      try {
        socket.send(JSON.stringify({ id, method, params }));
        return await replyInTime(reply.promise, method);
      } catch (error) {
        if (error instanceof Failure) throw error;
        throw new Failure(`Cannot send a command to the inspector: ${messageOf(error)}`);
      } finally {
        waiting.delete(id);
      }
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

function replyInTime<T>(promise: Promise<T>, what: string): Promise<T> {
  const late = `The inspector did not answer ${what} within ${ANSWER_TIMEOUT_MS / 1000} s`;
  return inTime(promise, ANSWER_TIMEOUT_MS, new Failure(late));
}

/** Only on loopback, because the inspector can run any code. The system chooses the port. */
export const INSPECT = "--inspect=127.0.0.1:0";
/** Flag of V8. Without it, the samples of an inlined function would count for its caller. */
const LINES = "--detailed-line-info";
/**
 * Flags with which V8 compiles every function apart. Node.js 20 attributes loops of inlined functions, and
 * loops that it replaces while they run, to their callers, even with {@linkcode LINES}.
 */
const APART = [LINES, "--no-turbo-inlining", "--no-maglev-inlining", "--no-use-osr"];
const V8_FLAGS = "--v8-flags=";
/** Flags of Deno that hide the inspector's address. */
const QUIET = ["--quiet", "-q"];
const SHOWN_LENGTH = 60;

/**
 * Enables the inspector of a server that Deno or Node.js runs directly, or returns why it cannot. If
 * `isExact`, V8 inlines nothing: samples are right, and calls take a little longer.
 */
export function inspected(
  server: Server,
  isExact = false,
): { readonly server: Server | null; readonly reason: Reason | null } {
  const { attached, start } = server;
  if (attached !== null) return { server: null, reason: { kind: "not-started-here" } };
  const [program = "", subcommand = ""] = start;
  const name = basename(program).replace(/\.exe$/i, "");
  const isDeno = name === "deno" && ["run", "serve"].includes(subcommand);
  if (!isDeno && name !== "node") {
    const command = (name === "deno" ? `${name} ${subcommand}` : name).trim();
    const reason = {
      kind: "no-inspector",
      command: command.slice(0, SHOWN_LENGTH),
    } as const;
    return { server: null, reason };
  }
  const at = isDeno ? 2 : 1;
  const args = start.slice(at);
  const script = args.findIndex((argument) => !argument.startsWith("-"));
  const rest = args.filter((argument, i) => !isDeno || i > script || !QUIET.includes(argument));
  const isV8 = (argument: string): boolean => isDeno && argument.startsWith(V8_FLAGS);
  const own = rest.find(isV8);
  const flags = isExact ? APART : [LINES];
  const ofV8 = isDeno ? [`${own === undefined ? V8_FLAGS : `${own},`}${flags.join()}`] : flags;
  const others = rest.filter((argument) => argument !== own);
  const whole = [...start.slice(0, at), INSPECT, ...ofV8, ...others];
  return { server: { ...server, start: whole }, reason: null };
}
