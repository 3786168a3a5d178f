/** Counts what Linux does for the processes of a server: system calls, context switches, segments. */
import { join } from "node:path";
import { Failure, messageOf } from "../model/errors.ts";
import type { Child } from "../process/child.ts";
import { inTime } from "../model/in_time.ts";
import { listFolder, readText } from "../process/files.ts";
import type { ProcessScope } from "../process/scope.ts";
import { familyOf, readProcesses } from "../process/tree.ts";

/** Counts by name: of system calls, or of TCP segments. */
export type CountsByName = ReadonlyMap<string, number>;

/** Something cannot be counted on this machine. */
export class NotCounted extends Failure {}

/** Time limit for strace to attach to a server, in milliseconds. It takes about 30. */
const ATTACH_MS = 5000;

/** Returns the ids of a server's processes. */
export function processesOf(pid: number): number[] {
  return familyOf(readProcesses() ?? new Map(), [pid]);
}

/** Arguments of a trace: where strace runs, its folder, the processes, and the work meanwhile. */
type Traced = [
  scope: ProcessScope,
  folder: string,
  pids: readonly number[],
  during: () => Promise<void>,
];

/**
 * Counts the system calls of processes while `during` runs. Calls that are under way at the beginning
 * count. Throws a `NotCounted` without strace or the permission.
 */
export async function traceCalls(...traced: Traced): Promise<CountsByName> {
  const calls = parseCalls(await trace(["-c"], ...traced));
  if (calls.size === 0) throw new NotCounted("strace ended early, without its counts");
  return calls;
}

/** System calls that sent something over TCP, and the bytes that they sent. */
export interface Sends {
  readonly calls: number;
  readonly bytes: number;
}

/** Sends to clients, and to the database. */
export type SendsByPeer = Readonly<Record<"clients" | "database", Sends>>;

/**
 * Counts the system calls by which processes send to clients, from the port `served`, and to the port
 * `database` (null: none), while `during` runs. Throws as {@linkcode traceCalls} does.
 */
export async function traceSends(
  ports: { readonly served: string; readonly database: string | null },
  ...traced: Traced
): Promise<SendsByPeer> {
  // Linux has no other calls for TCP, except for splice and io_uring, which no server here uses
  const options = ["-yy", "-s", "0", "-e", "trace=/^(send|write)"];
  const sends = parseSends(await trace(options, ...traced));
  const sum = (of: readonly SentBytes[]): Sends => ({
    calls: of.length,
    bytes: of.reduce((total, { bytes }) => total + bytes, 0),
  });
  return {
    clients: sum(sends.filter(({ localPort }) => localPort === ports.served)),
    database: sum(sends.filter(({ remotePort }) => remotePort === ports.database)),
  };
}

/** Attaches strace (https://strace.io) to processes while `during` runs, and returns its output. */
async function trace(options: readonly string[], ...traced: Traced): Promise<string> {
  const [scope, folder, pids, during] = traced;
  const file = join(folder, "calls");
  let log = "";
  const attached = Promise.withResolvers<void>();
  const onLog = (text: string): void => {
    log += text;
    if ((log.match(/ attached/g) ?? []).length >= pids.length) attached.resolve();
  };
  const attach = pids.flatMap((pid) => ["-p", String(pid)]);
  const argv = ["strace", "-f", ...options, "-o", file, ...attach];
  let strace: Child;
  try {
    strace = scope.spawn({ argv, onLog, stopSignal: "SIGINT" });
  } catch (error) {
    throw new NotCounted(
      error instanceof Deno.errors.NotFound
        ? "strace is not installed (apt install strace)"
        : `strace cannot run: ${messageOf(error)}`,
    );
  }
  try {
    strace.ended.then(() => attached.reject(new NotCounted(whyNotAttached(log))));
    const late = new NotCounted("strace did not attach to the server");
    await inTime(attached.promise, ATTACH_MS, late);
    await during();
  } finally {
    await strace.stop();
  }
  const output = readText(file) ?? "";
  await Deno.remove(file).catch(() => {}); // it must not pass for the next one's
  return output;
}

/** Explains the end of a strace that did not attach, by what it printed. */
export function whyNotAttached(log: string): string {
  const line = log.trim().split("\n").at(-1) ?? "";
  return /not permitted/i.test(line)
    ? "strace may not attach to the server: run as root, or allow it (kernel.yama.ptrace_scope=0; in a container, the capability SYS_PTRACE)"
    : `strace ended: ${line}`;
}

/** Parses the table of `strace -c`. Its columns are % time, seconds, usecs/call, calls, errors, name. */
export function parseCalls(table: string): CountsByName {
  const row = /^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?([a-z]\w*)$/gm;
  const rows = [...table.matchAll(row)].filter(([, , name]) => name !== "total");
  return new Map(rows.map(([, calls, name = ""]) => [name, Number(calls)]));
}

/** One system call that sent bytes over a TCP connection. */
interface SentBytes {
  readonly localPort: string;
  readonly remotePort: string;
  readonly bytes: number;
}

/** A call with its process and its socket: `7 writev(20<TCPv6:[[::1]:80->[::1]:5000]>, … = 124`. */
const SEND =
  /^(\d+) +\w+\(\d+<TCP(?:v6)?:\[\S*:(\d+)->\S*:(\d+)\]>.*?(?:= (-?\d+)(?: .*)?|<unfinished \.\.\.>)$/;
/** The end of a call during which another thread made one: `7 <... writev resumed>) = 124`. */
const RESUMED = /^(\d+) +<\.\.\. \w+ resumed>.*= (-?\d+)(?: .*)?$/;

/** Parses the calls of `strace -yy` that sent bytes over TCP. Failed calls sent none. */
export function parseSends(text: string): SentBytes[] {
  const sends: SentBytes[] = [];
  const unfinished = new Map<string, Pick<SentBytes, "localPort" | "remotePort">>();
  for (const line of text.split("\n")) {
    const [, caller = "", localPort, remotePort, result] = SEND.exec(line) ?? [];
    if (localPort !== undefined && remotePort !== undefined) {
      const ports = { localPort, remotePort };
      if (result === undefined) unfinished.set(caller, ports);
      else if (Number(result) > 0) sends.push({ ...ports, bytes: Number(result) });
      continue;
    }
    const [, thread = "", rest] = RESUMED.exec(line) ?? [];
    const ports = unfinished.get(thread);
    unfinished.delete(thread);
    if (ports !== undefined && Number(rest) > 0) sends.push({ ...ports, bytes: Number(rest) });
  }
  return sends;
}

/** Returns the voluntary context switches of all threads of processes, or throws a `NotCounted`. */
export function contextSwitches(pids: readonly number[]): number {
  const counts = pids.flatMap((pid) =>
    (listFolder(`/proc/${pid}/task`) ?? []).flatMap((thread) => {
      const status = readText(`/proc/${pid}/task/${thread}/status`) ?? "";
      return status.match(/^voluntary_ctxt_switches:\s*(\d+)$/m)?.[1] ?? [];
    })
  );
  if (counts.length === 0) throw new NotCounted("/proc does not show them");
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

/**
 * Counts the TCP segments with data of all connections to a port, as the server sees them, by ss of
 * iproute2. Throws a `NotCounted` without it.
 */
export async function segmentsAt(port: string): Promise<Readonly<Record<"in" | "out", number>>> {
  const args = ["-tinH", "state", "established", `( sport = :${port} )`];
  try {
    const { stdout } = await new Deno.Command("ss", { args, stderr: "null" }).output();
    const text = new TextDecoder().decode(stdout);
    // The connection of the requests is open, so there is at least one
    if (text.includes("data_segs_out")) return parseSegments(text);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new NotCounted("ss is not installed (apt install iproute2)");
  }
  throw new NotCounted("ss does not show the segments of a connection");
}

/** Parses the output of `ss -tinH`: its fields `data_segs_in` and `data_segs_out` of all connections. */
export function parseSegments(text: string): Readonly<Record<"in" | "out", number>> {
  const sum = (name: string): number =>
    [...text.matchAll(new RegExp(`\\bdata_segs_${name}:(\\d+)`, "g"))]
      .reduce((total, [, count]) => total + Number(count), 0);
  return { in: sum("in"), out: sum("out") };
}
