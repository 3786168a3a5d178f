/**
 * One client cannot stall the server: while each abuse runs, `/` is answered, and afterwards the
 * server's memory and open files have not grown. tests/abuses.ts has requests that are sent once;
 * these abuses cost the server by their amount.
 */
import { match, ok, strictEqual } from "node:assert/strict";
import { connect } from "node:net";
import { until } from "./bench.ts";
import {
  bytesOf,
  connectTo,
  flood,
  FRAME,
  frameOf,
  HANDSHAKE,
  held,
  openEcho,
  readAll,
  write,
} from "./rude_client.ts";
import { type Stage, withServer } from "./stage.ts";

/** The bound for `/` while an abuse runs: 100 ms, times 15 for a machine that others keep busy. */
const WORST_MS = 100 * 15;
/** The same where Deno copies what it has received, on the thread that answers: docs/contract.md. */
const WORST_COPYING_MS = 10_000;
const COPYING = ["a message of 60 MB", "a message without end"];
/** Resident memory may be this much larger afterwards. */
const GROWTH_BYTES = 50 * 2 ** 20;
const SPARE_FILES = 5;
const RESETTING = "handshakes that are reset";
const RESETS = 1000;
/** Resets that may meet the moment in which Deno loses a connection: 0.5 % do, more on a busy machine. */
const LOST = 0.05 * RESETS;
const MB = 1_000_000;
/** Most bytes that a server accepts before it refuses the rest, buffers of both sides included. */
const TAKEN_BYTES = 20 * MB;
const SILENCE_MS = 5000;
const UNREAD_MS = 5000;
const STREAM_MS = 1500;
/** How long requests under way have, once the server is to stop. */
const STOP_MS = 10_000;

/** Runs an abuse, and returns the longest response time of `/` meanwhile, in ms. */
async function worstDuring(origin: string, abuse: () => Promise<void>): Promise<number> {
  const worker = new Worker(new URL("./latency_worker.ts", import.meta.url), { type: "module" });
  const post = (message: string): Promise<number> => {
    worker.postMessage(message);
    return new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
  };
  try {
    await post(origin);
    await abuse();
    return await post("stop");
  } finally {
    worker.terminate();
  }
}

/** Runs an abuse twice, and checks the second run: the first one also compiles code. */
async function withstands(
  { server: { origin, pid } }: Stage,
  abuse: (origin: string) => Promise<void>,
  { limitMs, spareFiles }: { limitMs: number; spareFiles: number },
): Promise<void> {
  const { files } = await held(pid);
  const hasClosedAll = async (): Promise<boolean> => (await held(pid)).files <= files + spareFiles;
  await abuse(origin);
  await until(hasClosedAll, "it has closed all");
  const { bytes } = await held(pid);
  const worstMs = await worstDuring(origin, () => abuse(origin));
  ok(worstMs < limitMs, `/ took ${Math.round(worstMs)} ms`);
  await until(hasClosedAll, "it has closed all again");
  await until(
    async () => (await held(pid)).bytes <= bytes + GROWTH_BYTES,
    "it has returned its memory",
  );
}

function repeated(bytes: Uint8Array, times: number): Uint8Array {
  const all = new Uint8Array(bytes.length * times);
  for (let i = 0; i < times; i++) all.set(bytes, i * bytes.length);
  return all;
}

function chunkedPost(path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Foo: a\r\nContent-Type: application/json\r\n` +
    "Transfer-Encoding: chunked\r\n\r\n";
}

/** A body of a million chunks of a byte each. */
async function tinyChunks(origin: string, path: string): Promise<void> {
  using connection = await connectTo(origin);
  const response = readAll(connection, SILENCE_MS);
  await write(connection, bytesOf(chunkedPost(path))).catch(() => {});
  await flood(connection, bytesOf("1\r\nz\r\n".repeat(10_000)), { bytes: 6 * MB });
  match(await response, /^HTTP\/1\.1 4/);
}

/** WebSocket handshakes of clients that reset the connection, each after a random time up to this, in ms. */
async function resetHandshakes(origin: string, times: number, withinMs: number): Promise<void> {
  const { hostname, port } = new URL(origin);
  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      socket.on("close", () => resolve());
      socket.write(`${HANDSHAKE}\r\n`, () => {
        const reset = (): unknown => socket.resetAndDestroy();
        withinMs === 0 ? reset() : setTimeout(reset, withinMs * Math.random());
      });
    });
  for (let left = times; left > 0; left -= 50) await Promise.all(Array.from({ length: 50 }, one));
}

/** Sends what `/upload` must not read whole, and returns how many bytes the server took. */
async function hugeUpload(origin: string, head: string, piece: string): Promise<number> {
  using connection = await connectTo(origin);
  const response = readAll(connection, SILENCE_MS);
  await write(connection, bytesOf(`POST /upload HTTP/1.1\r\nHost: x\r\n${head}\r\n`));
  const { sent } = await flood(connection, bytesOf(piece), { bytes: 200 * MB });
  match(await response, /^HTTP\/1\.1 413/);
  return sent;
}

/** Sends messages to `/echo` without reading what comes back: the server takes no more, or closes. */
async function unread(origin: string, piece: Uint8Array): Promise<void> {
  using connection = await openEcho(origin);
  const { isClosed, sent } = await flood(connection, piece, { ms: UNREAD_MS });
  ok(isClosed || sent < TAKEN_BYTES, `the server took ${sent} bytes`);
}

/** Each abuse by its name. */
const ABUSES: Readonly<Record<string, (origin: string) => Promise<void>>> = {
  "a million chunks for /upload": (origin) => tinyChunks(origin, "/upload"),
  "a million chunks for /schema": (origin) => tinyChunks(origin, "/schema"),
  "bodies that are too long for /upload": async (origin) => {
    const chunk = `ffff\r\n${"x".repeat(0xffff)}\r\n`;
    const length = `Content-Length: ${200 * MB}\r\n`;
    const taken = [
      await hugeUpload(origin, "Transfer-Encoding: chunked\r\n", chunk),
      await hugeUpload(origin, length + length, "x".repeat(65_536)),
      await hugeUpload(origin, length, "x".repeat(65_536)),
    ];
    ok(taken.every((bytes) => bytes < TAKEN_BYTES), `the server took ${taken.join(", ")} bytes`);
  },
  [RESETTING]: async (origin) => {
    await resetHandshakes(origin, RESETS / 2, 0);
    await resetHandshakes(origin, RESETS / 2, 30);
  },
  "long messages to a client that does not read": (origin) =>
    unread(origin, frameOf(FRAME.binary, 65_536)),
  "short messages to a client that does not read": (origin) =>
    unread(origin, repeated(frameOf(FRAME.binary, 1), 10_000)),
  "empty messages to a client that does not read": (origin) =>
    unread(origin, repeated(frameOf(FRAME.binary, 0), 10_000)),
  "a message of 60 MB": async (origin) => {
    using connection = await openEcho(origin);
    const first = new Uint8Array(4);
    const reading = connection.read(first);
    await write(connection, frameOf(FRAME.text, 60 * MB));
    await reading;
    strictEqual(new DataView(first.buffer).getUint16(2), 1009);
  },
  "a message without end": async (origin) => {
    using connection = await openEcho(origin);
    await write(connection, frameOf(FRAME.textStart, 1));
    const { isClosed } = await flood(connection, frameOf(FRAME.middle, MB), { bytes: 2000 * MB });
    ok(isClosed, "the server took all of it");
  },
  "clients that leave /queries": async (origin) => {
    const request = bytesOf("GET /queries?queries=500 HTTP/1.1\r\nHost: x\r\n\r\n");
    await Promise.all(Array.from({ length: 500 }, async () => {
      using connection = await connectTo(origin);
      await write(connection, request);
    }));
  },
  "clients that do not read /stream": async (origin) => {
    const request = bytesOf("GET /stream?events=10000 HTTP/1.1\r\nHost: x\r\n\r\n");
    const connections = await Promise.all(Array.from({ length: 500 }, async () => {
      const connection = await connectTo(origin);
      await write(connection, request);
      return connection;
    }));
    await new Promise((resolve) => setTimeout(resolve, STREAM_MS));
    for (const connection of connections) connection.close();
  },
};

for (const [what, abuse] of Object.entries(ABUSES)) {
  Deno.test({
    name: `one client cannot stall the server: ${what}`,
    ignore: Deno.build.os !== "linux",
    fn: () =>
      withServer((stage) =>
        withstands(stage, abuse, {
          limitMs: COPYING.includes(what) ? WORST_COPYING_MS : WORST_MS,
          spareFiles: what === RESETTING ? 2 * LOST : SPARE_FILES,
        })
      ),
  });
}

Deno.test({
  name: "a server with hostile clients stops within ten seconds",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withServer(async ({ server: { origin, process } }) => {
      await resetHandshakes(origin, RESETS, 30);
      using unread = await openEcho(origin);
      await flood(unread, frameOf(FRAME.binary, 65_536), { ms: 300 });
      using unfinished = await openEcho(origin);
      await write(unfinished, frameOf(FRAME.textStart, 10));
      using upload = await connectTo(origin);
      await write(upload, bytesOf(`${chunkedPost("/upload")}5\r\nhel`));
      const startedMs = performance.now();
      const { code } = await process?.stop(2 * STOP_MS) ?? {};
      strictEqual(code, 0);
      const tookMs = performance.now() - startedMs;
      ok(tookMs < STOP_MS + WORST_MS, `it took ${Math.round(tookMs)} ms`);
    }),
});
