/** Which addresses a server talks to while it runs, besides the clients that connect to it. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../scenarios/mod.ts";
import type { OpenTestbed, PreparedServer } from "../src/engine/testbed.ts";
import { LocalTestbed } from "../src/engine/local_testbed.ts";
import { serverEnv } from "../src/experiment/options.ts";
import type { Server } from "../src/model/server.ts";
import { pause } from "../src/process/pause.ts";
import { cacheFolder } from "../src/target/build.ts";
import { readCatalog } from "../src/target/catalog.ts";
import { resolveCommand } from "../src/target/toolchain.ts";
import { createDatabase } from "./cluster.ts";

/** Number of servers that run at the same time; a traced server mostly waits. */
const AT_A_TIME = 4;
/** Time in which a traced server must answer, in seconds: tracing and the other servers slow it down. */
const START_TIMEOUT_S = 60;
/**
 * How long a server is watched after its last response, in milliseconds. Some programs look for a newer
 * version only after a while; Deno does so half a second after its start.
 */
const WATCH_MS = 2000;

/** The system calls that name an address to talk to. io_uring is not covered: no server here uses it. */
const CALLS = "connect,sendto,sendmsg,sendmmsg";
/** An IPv4 or IPv6 address with its port, as strace prints it. */
const ADDRESS =
  /sa_family=AF_INET6?, sin6?_port=htons\((\d+)\),[^}]*?(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]+)"/g;

/** Returns why strace cannot be used here, or null if it can. */
export function whyNoStrace(): string | null {
  if (Deno.build.os !== "linux") return "strace runs on Linux only";
  try {
    const args = ["-f", "-qq", "-o", "/dev/null", "true"];
    const { success } = new Deno.Command("strace", { args, stderr: "null" }).outputSync();
    return success ? null : "strace is not permitted";
  } catch {
    return "strace is not installed";
  }
}

/** Returns each address in the output of strace once, as `host:port`. */
export function addressesIn(trace: string): string[] {
  const found = [...trace.matchAll(ADDRESS)].map(([, port, host = ""]) =>
    `${host.replace(/^::ffff:/, "")}:${port}`
  );
  return [...new Set(found)];
}

/** Runs a test in a testbed with a separate database at the `host:port` of `database`. */
export async function withTestbed(
  test: (testbed: OpenTestbed, database: string) => Promise<void>,
): Promise<void> {
  await using database = await createDatabase();
  const testbed = new LocalTestbed({
    origin: { id: "outgoing", createdAt: new Date().toISOString(), program: [], command: [] },
    env: (name) => name === "DATABASE_URL" ? database.url : undefined,
    allowRemoteDatabase: false,
    cache: cacheFolder(null, (name) => Deno.env.get(name)),
    folder: Deno.cwd(),
  });
  await using open = await testbed.open(
    { database: true, databaseConnections: 10, pins: false, tls: null },
    () => {},
  );
  await test(open, new URL(database.url).host);
}

/**
 * Starts a server, requests every scenario that it implements, stops it, and returns the addresses that its
 * processes talked to, as `host:port`. The server's own address is not among them: Tomcat connects to itself
 * when it stops, to wake up the thread that accepts connections.
 *
 * @param env variables of the server, besides those of the contract
 */
export async function outgoingAddresses(
  testbed: OpenTestbed,
  server: Server,
  env: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  try {
    const trace = `${folder}/trace`;
    const contract = serverEnv({ queueLimit: 1000 }, 5);
    const running = await testbed.launch(traced(server, trace), { ...contract, ...env });
    try {
      await requestAll(server, running.origin);
      await pause(WATCH_MS, new AbortController().signal);
    } finally {
      await running[Symbol.asyncDispose]();
    }
    const found = addressesIn(await Deno.readTextFile(trace));
    return found.filter((address) => address !== new URL(running.origin).host);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the server with a start command that runs it under strace, all its processes and threads. */
function traced(server: Server, file: string): Server {
  const [program = "", ...args] = server.start;
  const [path = ""] = resolveCommand([program], {}, server.folder);
  const options = ["--seccomp-bpf", "-f", "-qq", "-s", "0", "-e", "signal=none", "-o", file];
  return {
    ...server,
    start: ["strace", ...options, "-e", `trace=${CALLS}`, path, ...args],
    ready: { ...server.ready, timeoutS: START_TIMEOUT_S },
  };
}

async function requestAll({ id, scenarios }: Server, origin: string): Promise<void> {
  for (const { id: scenario, protocol, request } of SCENARIOS) {
    if (!(scenario in scenarios) || protocol !== "http") continue;
    const { method, path, headers, body } = request;
    const response = await fetch(origin + path, { method, headers, body });
    await response.body?.cancel();
    strictEqual(response.status, 200, `${id} at ${method} ${path}`);
  }
}

/**
 * Checks that servers talk to their clients and their database only, between start and stop. Each server is
 * a step of the test.
 */
export async function talkToDatabaseOnly(
  t: Deno.TestContext,
  isWanted: (server: Server) => boolean,
): Promise<void> {
  const servers = [...(await readCatalog()).values()].filter(isWanted);
  ok(servers.length > 0);
  const others = new Map<string, string[] | Error>();
  let prepared: readonly PreparedServer[] = [];
  await withTestbed(async (testbed, database) => {
    prepared = await testbed.prepare(servers, () => {}, new AbortController().signal);
    const waiting = prepared.filter(({ skipped, failure }) => skipped === null && failure === null)
      .values();
    const watch = async (): Promise<void> => {
      for (const { server } of waiting) {
        const found = await outgoingAddresses(testbed, server).catch((error) => error as Error);
        others.set(
          server.id,
          found instanceof Error ? found : found.filter((address) => address !== database),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, watch));
  });
  for (const { server: { id }, skipped, failure } of prepared) {
    await t.step({
      name: skipped === null ? id : `${id} (${skipped})`,
      ignore: skipped !== null,
      fn(): void {
        strictEqual(failure, null);
        const found = others.get(id);
        if (found instanceof Error) throw found;
        deepStrictEqual(found, []);
      },
    });
  }
}
