/** Routes without a database and without a request body. */
import { setImmediate } from "node:timers";
import { setTimeout as pause } from "node:timers/promises";
import type { CpuPool } from "../cpu_pool.ts";
import { booleanParameter, integerParameter, problem, type Routes } from "../http.ts";
import { isoTime } from "../iso_time.ts";
import { LIMITS } from "../limits.ts";
import { primesJson } from "../sieve.ts";

/** Header that TechEmpower's rules require. */
export const NAMED = { server: "Deno" };

const HTML = { headers: { "content-type": "text/html;charset=utf-8" } };
const JSON_TYPE = { headers: { "content-type": "application/json" } };
const EVENTS = { headers: { "content-type": "text/event-stream;charset=utf-8" } };
const encoder = new TextEncoder();

/** Returns the routes. For every request, `/delay` reads `file` and `/static/` a file of `folder`. */
export function plainRoutes(
  file: URL,
  folder: URL,
  pool: CpuPool<number, Uint8Array<ArrayBuffer>>,
): Routes {
  let delays = 0;
  const takeTurn = takeTurns(LIMITS.EVENTS_PER_TURN);
  return {
    "/": { GET: () => new Response("Hello world") },
    "/plaintext": { GET: () => new Response("Hello, World!", { headers: NAMED }) },
    "/hello": { GET: () => Response.json({ message: "Hello, World" }) },
    "/hello-later": {
      async GET(): Promise<Response> {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return new Response("Hello, World!");
      },
    },
    "/json": {
      // Not a Date: `JSON.stringify` would call its `toJSON`, which adds 8 % to the whole response.
      GET: () => Response.json({ message: "Hello world", ts: isoTime(Date.now()) }),
    },
    /** Every tenth request waits 2 s. */
    "/delay": {
      async GET(request, url): Promise<Response> {
        const ms = integerParameter(url, "ms", { min: 0, max: 60_000, fallback: 2000 });
        const every = integerParameter(url, "every", { min: 1, max: 1_000_000, fallback: 10 });
        if (++delays % every === 0) await pause(ms, undefined, { signal: request.signal });
        return new Response(await Deno.readFile(file), HTML);
      },
    },
    "/primes": {
      async GET(request, url): Promise<Response> {
        const limit = integerParameter(url, "limit", { min: 2, max: 1e7, fallback: 1e6 });
        const bytes = booleanParameter(url, "offload")
          ? await pool.run(limit, request)
          : primesJson(limit);
        return new Response(bytes, JSON_TYPE);
      },
    },
    /** Server-sent events, each passed to the stream separately. Deno joins those that are ready. */
    "/stream": {
      GET(_request, url): Response {
        const count = integerParameter(url, "events", { min: 1, max: 10_000, fallback: 100 });
        const ms = integerParameter(url, "ms", { min: 0, max: 1000, fallback: 0 });
        let event = 0;
        const body = new ReadableStream<Uint8Array>({
          async pull(controller): Promise<void> {
            if (ms > 0 && event > 0) await new Promise((resolve) => setTimeout(resolve, ms));
            const later = takeTurn();
            if (later !== null) await later;
            controller.enqueue(encoder.encode(`data: ${++event}\n\n`));
            if (event === count) controller.close();
          },
        });
        return new Response(body, EVENTS);
      },
    },
    "/static/*": { GET: (request) => staticFile(request, folder) },
  };
}

/**
 * Divides the event loop's time: each turn does `perTurn` work units, such as events. Further units
 * wait for later turns, first in, first out. Short requests are answered in between.
 *
 * @returns a function that returns null if the caller may do a unit now, else a promise that
 *   resolves in a later turn.
 */
export function takeTurns(perTurn: number): () => Promise<void> | null {
  const waiting: (() => void)[] = [];
  let left = perTurn;
  let isCounting = false;
  const begin = (): void => {
    const next = waiting.splice(0, perTurn);
    left = perTurn - next.length;
    isCounting = next.length > 0;
    if (isCounting) setImmediate(begin);
    for (const resolve of next) resolve();
  };
  return () => {
    if (!isCounting) {
      isCounting = true;
      setImmediate(begin);
    }
    if (left > 0) {
      left--;
      return null;
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
}

/** Matches the path of a text file directly in `/static/`, but not of a hidden file. */
const TEXT_FILE = /^\/static\/([\w-]+(?:\.[\w-]+)*\.txt)$/;
/** Content codings with the suffix of their files, smallest files first; null: the file itself. */
const CODINGS = [["br", ".br"], ["gzip", ".gz"], [null, ""]] as const;

/**
 * Answers with a file. Deno sends an opened file without JavaScript, and closes it at the end or if
 * the client disconnects. Bytes of `Deno.readFile` would take 1.4 times the CPU time.
 */
async function staticFile(request: Request, folder: URL): Promise<Response> {
  const { pathname } = new URL(request.url);
  const [, name] = TEXT_FILE.exec(pathname) ?? [];
  const wanted = request.headers.get("accept-encoding") ?? "";
  for (const [coding, end] of name === undefined ? [] : CODINGS) {
    if (coding !== null && !accepts(wanted, coding)) continue;
    const file = await Deno.open(new URL(name + end, folder)).catch(() => null);
    if (file === null) continue;
    const { isFile, size, mtime } = await file.stat();
    const etag = `"${size.toString(36)}-${(mtime?.getTime() ?? 0).toString(36)}${end}"`;
    const headers = { etag, vary: "accept-encoding", "content-type": "text/plain;charset=utf-8" };
    const known = isFile && isKnown(request, etag);
    if (!isFile || known) file.close();
    if (!isFile) continue;
    if (known) return new Response(null, { status: 304, headers });
    const coded = coding === null ? headers : { ...headers, "content-encoding": coding };
    return new Response(file.readable, { headers: { ...coded, "content-length": `${size}` } });
  }
  return problem(404, `There is nothing at ${pathname}`);
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3 */
function accepts(wanted: string, coding: string): boolean {
  return wanted.split(",").some((one) => {
    const [name = "", weight = ""] = one.split(";");
    return name.trim().toLowerCase() === coding && !/^\s*q\s*=\s*0(\.0*)?\s*$/i.test(weight);
  });
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
function isKnown({ headers }: Request, etag: string): boolean {
  const known = headers.get("if-none-match");
  return known !== null &&
    known.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
}
