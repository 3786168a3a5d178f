import type { OpenTestbed } from "../src/engine/testbed.ts";
import { LocalTestbed } from "../src/engine/local_testbed.ts";
import { serverEnv } from "../src/experiment/options.ts";
import { messageOf } from "../src/model/errors.ts";
import type { Server } from "../src/model/server.ts";
import { cacheFolder } from "../src/target/build.ts";
import { readCatalog } from "../src/target/catalog.ts";
import type { RunningServer } from "../src/target/launch.ts";
import { type Abuse, ABUSES, SMUGGLED } from "./abuses.ts";
import { bytesOf, connectTo, held, leave, readAll, write } from "./rude_client.ts";

/** Maximum number of queued requests in Stampede's own server. It is above `LEAVING`. */
const QUEUE_LIMIT = 1000;
/** Milliseconds to wait for a response, and for a server to close its connections. */
const TIMEOUT_MS = 3000;
/** Number of abuses at the same time. Some servers accept no more connections. */
const AT_A_TIME = 8;
/** Number of clients that disconnect before their response. */
const LEAVING = 500;
/** Number of silent connections. */
const IDLE = 500;

/** Outcome for one abused server. */
export interface Abused {
  readonly server: string;
  /** Why it was not abused, or how it ended; null if it is fine. */
  readonly problem: string | null;
  /** Hidden requests that it answered; null if it does not answer them openly either. */
  readonly smuggled: readonly string[] | null;
  /** Abuses after which `/` was not answered in time. */
  readonly hung: readonly string[];
  /** Open files and bytes of memory, before and after. */
  readonly before: Held | null;
  readonly after: Held | null;
}

type Held = Awaited<ReturnType<typeof held>>;

/** Abuses every available server in turn and yields the outcomes. */
export async function* abuseServers(): AsyncGenerator<Abused> {
  const testbed = new LocalTestbed({
    origin: { id: "abuse", createdAt: new Date().toISOString(), program: [], command: [] },
    env: (name) => Deno.env.get(name),
    allowRemoteDatabase: false,
    cache: cacheFolder(null, (name) => Deno.env.get(name)),
    folder: Deno.cwd(),
  });
  const env = serverEnv({ queueLimit: QUEUE_LIMIT }, 10);
  await using open = await testbed.open(
    { database: true, databaseConnections: 100, pins: false, tls: null },
    () => {},
  );
  const servers = [...(await readCatalog()).values()];
  const signal = new AbortController().signal;
  for (const { server, skipped, failure } of await open.prepare(servers, () => {}, signal)) {
    const problem = skipped ?? failure;
    const untouched = { server: server.id, smuggled: null, hung: [], before: null, after: null };
    if (problem !== null) yield { ...untouched, problem };
    else {
      yield await abused(open, server, env).catch((error) => ({
        ...untouched,
        problem: messageOf(error),
      }));
    }
  }
}

async function abused(
  testbed: OpenTestbed,
  server: Server,
  env: Record<string, string>,
): Promise<Abused> {
  await using running = await testbed.launch(server, env);
  const { origin, pid } = running;
  const path = "text" in server.scenarios ? "/" : server.ready.path;
  const isWell = async (): Promise<boolean> => {
    try {
      const response = await fetch(origin + path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      await response.body?.cancel();
      return response.status < 500;
    } catch {
      return false;
    }
  };
  const json = "json" in server.scenarios ? await (await fetch(`${origin}/json`)).text() : null;
  await isWell();
  const before = await held(pid);
  const smuggled: string[] = [];
  const hung: string[] = [];
  try {
    for (let from = 0; from < ABUSES.length; from += AT_A_TIME) {
      const some = ABUSES.slice(from, from + AT_A_TIME);
      const texts = await Promise.all(some.map((abuse) => send(running, abuse)));
      for (const [i, { what, sends }] of some.entries()) {
        const isHidden = sends.includes(SMUGGLED) && json !== null && texts[i]?.includes(json);
        if (isHidden) smuggled.push(what);
      }
      if (!await isWell()) hung.push(`${some[0]?.what} to ${some.at(-1)?.what}`);
    }
    const most = Math.min(IDLE, (server.maxConnections ?? Infinity) - 1);
    const idle = await Promise.all(Array.from({ length: most }, () => connectTo(origin)));
    if (!await isWell()) hung.push(`${most} connections that say nothing`);
    for (const connection of idle) connection.close();
    const left = [
      ["primes", "/primes"],
      ["delay", "/delay"],
      ["sql2", "/sql2"],
      ["stream", "/stream?events=1000&ms=10"],
    ];
    for (const [id, path] of left) {
      if (id === undefined || path === undefined || !(id in server.scenarios)) continue;
      await leave(origin, path, LEAVING);
      if (!await isWell()) hung.push(`clients that leave ${path}`);
    }
  } catch (error) {
    hung.push(messageOf(error));
  }
  await closed(pid, before.files);
  const { process } = running;
  const hasEnded = process?.hasEnded ?? false;
  return {
    server: server.id,
    problem: hasEnded ? `${process?.howItEnded}` : await isWell() ? null : "does not answer",
    smuggled: json === null ? null : smuggled,
    hung,
    before,
    after: await held(pid).catch(() => null),
  };
}

/** Runs one abuse and returns the response. */
async function send(
  { origin }: RunningServer,
  { sends, closes = false }: Abuse,
): Promise<string> {
  using connection = await connectTo(origin);
  // A server that refuses a request need not read all of it
  const written = write(connection, bytesOf(sends)).catch(() => {});
  const text = readAll(connection, TIMEOUT_MS);
  await Promise.race([written, text]);
  if (closes) await connection.closeWrite().catch(() => {});
  return await text;
}

/** Waits until a server has closed almost all its connections, up to the timeout. */
async function closed(pid: number | null, files: number): Promise<void> {
  const deadline = performance.now() + 5 * TIMEOUT_MS;
  while (performance.now() < deadline) {
    const now = await held(pid).catch(() => null);
    if (now === null || now.files <= files + 5) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
