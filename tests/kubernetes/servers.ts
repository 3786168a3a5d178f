/** The servers under load, in a node next to the cluster. */
import { fileURLToPath } from "node:url";
import { Failure } from "../../src/model/errors.ts";
import { readText } from "../../src/process/files.ts";
import type { ProcessScope } from "../../src/process/scope.ts";
import type { Cluster } from "./cluster.ts";

/** Response of the null server. */
const CANNED = { status: 200, headers: [["content-type", "text/plain"]], text: "Hello world" };

/** The servers: 49 of 50 responses of `known` take 20 ms; `own` is Stampede's; `null` does the least work. */
const COMMANDS = {
  known: ["./known_server.ts", "{HOST}"],
  own: ["../../bench.ts", "serve", "--port", "8000"],
  null: ["../../src/load/null_server_process.ts", "0", "{HOST}"],
} as const;

/** Runs a server before the control plane, which has other machines in a real cluster. */
const FIRST = ["nice", "-n", "-20"];

export type ServerName = keyof typeof COMMANDS;

/** State of an open connection in /proc/net/tcp (`TCP_ESTABLISHED`). */
const ESTABLISHED = "01";

/** A server under load. */
export interface ServerUnderLoad extends AsyncDisposable {
  /** Its address, such as `http://10.89.0.100:8000`. */
  readonly origin: string;
  /** Process id. */
  readonly pid: number;
}

/** Starts a server in the cluster's network and waits until it listens. It ends with the scope. */
export async function startServer(
  scope: ProcessScope,
  { server }: Cluster,
  name: ServerName,
): Promise<ServerUnderLoad> {
  const [file, ...args] = COMMANDS[name].map((word) => word.replace("{HOST}", server.address));
  const path = fileURLToPath(new URL(file ?? "", import.meta.url));
  const port = Promise.withResolvers<string>();
  const child = scope.spawn({
    argv: server.within([...FIRST, Deno.execPath(), "run", "--quiet", "-A", path, ...args], true),
    cpus: server.cpus,
    env: { HOST: server.address },
    onLine: (line) => {
      // A port, or a URL
      const [, number] = /^(?:\S+ http:\/\/[\d.]+:)?(\d+)\b/.exec(line) ?? [];
      if (number !== undefined) port.resolve(number);
    },
  });
  await child.writeLine(JSON.stringify(CANNED));
  child.ended.then(() => {
    port.reject(new Failure(`The server "${name}" ${child.howItEnded}${child.lastWords}`));
  });
  return {
    origin: `http://${server.address}:${await port.promise}`,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => void await child.stop(),
  };
}

/** Returns the number of connections of clients: https://docs.kernel.org/networking/proc_net_tcp.html */
export function connectionsAt({ origin, pid }: ServerUnderLoad): number {
  const port = Number(new URL(origin).port).toString(16).toUpperCase().padStart(4, "0");
  const lines = (readText(`/proc/${pid}/net/tcp`) ?? "").split("\n");
  return lines.filter((line) => {
    const [, local, , state] = line.trim().split(/\s+/);
    return local?.endsWith(`:${port}`) && state === ESTABLISHED;
  }).length;
}
