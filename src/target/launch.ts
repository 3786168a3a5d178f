/** Starts and stops servers, and connects to servers that are already running. */
import { textOf } from "../model/body.ts";
import type { HttpResponse } from "../model/scenario.ts";
import { Failure, messageOf, Mismatch } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";
import type { Server } from "../model/server.ts";
import type { Child, SpawnOptions } from "../process/child.ts";
import { addressOf, freePort, OPENING_MS } from "../process/connect.ts";
import { readText } from "../process/files.ts";
import type { ProcessScope } from "../process/scope.ts";
import { distrustBuild } from "./build.ts";
import { fill, resolveCommand } from "./toolchain.ts";
import { residentBytes } from "./usage.ts";
import { httpClient, tlsInUse } from "../process/tls_client.ts";
import { familyOf, findListener, readProcesses } from "../process/tree.ts";

/** The settings of one start of a server. */
export interface LaunchOptions extends Pick<SpawnOptions, "cpus" | "onLog"> {
  /** URL of the database, and its `host:port`; null or absent: without a database. */
  readonly database?: { readonly url: string; readonly hostPort: string } | null;
  /** Variables of every server, such as DB_POOL and CPU_WORKERS, and those of the variant. */
  readonly env: Readonly<Record<string, string>>;
  /** Address to listen on. By default a free port of 127.0.0.1, or another if that is taken. */
  readonly at?: Readonly<{ host: string; port: number }>;
  /** Returns whether the response to the readiness check is correct; by default every 2xx is. */
  readonly isRight?: (response: HttpResponse) => boolean;
  /** Ends the start early. */
  readonly abort?: AbortSignal;
}

/** A server that has answered. If Stampede started it, the end of its `ProcessScope` ends it. */
export interface RunningServer extends AsyncDisposable {
  readonly origin: string;
  /** The server's process; null if Stampede did not start the server. */
  readonly process: Child | null;
  /** Id of the server's process; null if it is unknown. */
  readonly pid: number | null;
  /** Seconds from start to first response; null if that was wrong or Stampede did not start it. */
  readonly startUpS: number | null;
  /** Resident memory of the server before any load, in bytes; null if unknown. */
  readonly idleRssBytes: number | null;
}

/** Interval between requests to a starting server, and precision of the start-up time, in ms. */
const POLL_MS = 1;
const PORT_TAKEN = /address already in use|EADDRINUSE|AddrInUse|only one usage of each socket/i;
const PORT_TRIES = 3;

/** Another program took the port before the server started. */
class PortTaken extends Failure {}

/**
 * Starts a server and waits until it answers. Throws a `Failure` if it ends or does not answer in time, or the
 * reason of `abort`.
 */
export async function launch(
  scope: ProcessScope,
  server: Server,
  options: LaunchOptions,
): Promise<RunningServer> {
  for (let left = options.at === undefined ? PORT_TRIES : 1;; left--) {
    try {
      const at = options.at ?? { host: "127.0.0.1", port: freePort() };
      return await launchAt(at, scope, server, options);
    } catch (error) {
      if (left === 1 || !(error instanceof PortTaken)) throw error;
    }
  }
}

async function launchAt(
  { host, port }: NonNullable<LaunchOptions["at"]>,
  scope: ProcessScope,
  server: Server,
  options: LaunchOptions,
): Promise<RunningServer> {
  const { database = null, cpus = null, isRight = isSuccessful, onLog, abort } = options;
  const startedMs = performance.now();
  const tls = tlsInUse();
  // An IPv6 address gets brackets in a URL
  const urlHost = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const given = {
    ...options.env,
    ...(tls !== null && { TLS_CERT: tls.certPath, TLS_KEY: tls.keyPath }),
    PORT: String(port),
  };
  const values = { ...given, HOST: urlHost, DATABASE: database?.hostPort };
  const argv = resolveCommand(server.start, values, server.folder);
  const env: Record<string, string> = { ...given };
  for (const [name, text] of Object.entries(server.env)) {
    const filled = fill(text, values);
    if (filled !== null) env[name] = filled;
  }
  Object.assign(env, { HOST: host, PORT: given.PORT }, database && { DATABASE_URL: database.url });
  let process: Child;
  try {
    process = scope.spawn({ argv, cwd: server.folder, cpus, env, ...(onLog && { onLog }) });
  } catch (error) {
    throw new Failure(`Cannot start ${server.name}: ${argv[0]}: ${messageOf(error)}`);
  }
  const origin = `${tls === null ? "http" : "https"}://${urlHost}:${port}`;
  try {
    const response = await untilReady(server, process, origin, abort);
    const tookS = (performance.now() - startedMs) / 1000;
    return {
      origin,
      process,
      pid: process.pid,
      startUpS: isRight(response) ? tookS : null,
      idleRssBytes: residentBytes(process.pid),
      [Symbol.asyncDispose]: async () => void await process.stop(),
    };
  } catch (error) {
    await process.stop();
    throw error;
  }
}

function isSuccessful({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
/** Programs of containers that accept connections for a server, by their names in /proc: its work is elsewhere. */
const FORWARDER =
  /^(docker-proxy|dockerd|rootlessport|rootlesskit|slirp4netns|pasta(\.avx2)?|com\.docker.*)$/;

/**
 * Connects to a server that is already running and keeps running afterwards. Its process is `pid`,
 * or else the process that listens on the port. That must not have started Stampede: its figures
 * include all descendants. Without `pid`, such a process, one on another machine, or the proxy of a
 * container stays unknown. Throws a `Failure` if nothing listens there, or if `pid` cannot be the server's
 * process, or the reason of `abort`.
 */
export async function attach(
  { origin, pid: named }: NonNullable<Server["attached"]>,
  abort?: AbortSignal,
): Promise<RunningServer> {
  const { hostname } = new URL(origin);
  let isHere: boolean;
  const connecting = Deno.connect(addressOf(origin));
  try {
    const late = new Error(`no connection within ${OPENING_MS / 1000} s`);
    const connection = await inTime(connecting, OPENING_MS, late, abort);
    const { localAddr: { hostname: from }, remoteAddr: { hostname: to } } = connection;
    // Source and destination address are equal only if a machine connects to itself
    isHere = LOOPBACK.test(hostname) || LOOPBACK.test(to) || from === to;
    connection.close();
  } catch (error) {
    connecting.then((connection) => connection.close(), () => {}); // if it opens too late
    abort?.throwIfAborted();
    throw new Failure(`Nothing listens at ${origin} (${messageOf(error)}): start the server first`);
  }
  if (named !== null && !isHere) {
    throw new Failure(
      `${hostname} is another machine, and its processes are not visible: leave out --pid`,
    );
  }
  const processes = readProcesses();
  const isMissing = named !== null && processes?.has(named) === false;
  const found = named ?? (isHere ? findListener(addressOf(origin).port) : null);
  const hasStartedUs = found !== null && processes !== null &&
    familyOf(processes, [found]).includes(Deno.pid);
  if (isMissing || (named !== null && hasStartedUs)) {
    const problem = isMissing ? "does not exist" : "started Stampede";
    throw new Failure(`Process ${named} ${problem}: --pid must be the server's process`);
  }
  const isForwarder = named === null && found !== null &&
    FORWARDER.test(readText(`/proc/${found}/comm`)?.trim() ?? "");
  const pid = hasStartedUs || isForwarder ? null : found;
  return {
    origin,
    pid,
    process: null,
    startUpS: null,
    idleRssBytes: pid === null ? null : residentBytes(pid),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function earlyEnd(server: Server, process: Child): Promise<Failure> {
  const { signal } = await process.ended;
  const what = `${server.name} ${process.howItEnded} before it answered`;
  const { lastWords } = process;
  if (PORT_TAKEN.test(lastWords)) return new PortTaken(what + lastWords);
  // A server that was stopped by a signal or by Ctrl-C says nothing about its build
  const isDistrusted = signal === null && !process.isEndRequested && await distrustBuild(server);
  return new Failure(what + (isDistrusted ? "; the next run builds it again" : "") + lastWords);
}

async function untilReady(
  server: Server,
  process: Child,
  origin: string,
  abort?: AbortSignal,
): Promise<HttpResponse> {
  abort?.throwIfAborted();
  // Another program may use the port and never answer
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  process.ended.then(leave);
  abort?.addEventListener("abort", leave);
  try {
    return await firstResponse(server, process, origin, gone.signal);
  } catch (error) {
    abort?.throwIfAborted();
    throw error;
  } finally {
    abort?.removeEventListener("abort", leave);
  }
}

/** Requests the path of the readiness check until there is a response, or `gone` is aborted. */
async function firstResponse(
  server: Server,
  process: Child,
  origin: string,
  gone: AbortSignal,
): Promise<HttpResponse> {
  const { path, timeoutS } = server.ready;
  const deadline = performance.now() + timeoutS * 1000;
  using client = httpClient({ poolMaxIdlePerHost: 0 });
  let last: number | null = null;
  while (performance.now() < deadline) {
    if (process.hasEnded) throw await earlyEnd(server, process);
    gone.throwIfAborted();
    try {
      const late = AbortSignal.timeout(Math.max(1, deadline - performance.now()));
      const signal = AbortSignal.any([gone, late]);
      const response = await fetch(origin + path, { client, signal, redirect: "manual" });
      const { status, headers } = response;
      const text = await textOf(response);
      // Another program may use the port and answer
      if (status < 500 && !process.hasEnded) return { status, headers, text };
      last = status;
    } catch (error) {
      if (error instanceof Mismatch) {
        throw new Failure(`${server.name} cannot be measured: to GET ${path}, ${error.message}`);
      }
      // It does not listen yet.
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Failure(
    last === null
      ? `${server.name} did not answer GET ${origin}${path} within ${timeoutS} s: it must listen on HOST and PORT${process.lastWords}`
      : `${server.name} answered GET ${path} with status ${last} for ${timeoutS} s${process.lastWords}`,
  );
}
