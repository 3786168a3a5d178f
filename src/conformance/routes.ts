/** Checks of single routes in the contract of the servers (docs/contract.md). */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { books } from "../../scenarios/books.ts";
import { expectSideBySide } from "../../scenarios/delay.ts";
import { get } from "../../scenarios/expect.ts";
import { upTo } from "../../scenarios/primes.ts";
import { expectRows, sql2 } from "../../scenarios/sql2.ts";
import { fortunes } from "../../scenarios/techempower/fortunes.ts";
import { db, queries } from "../../scenarios/techempower/world.ts";
import { FILE, staticFile } from "../../scenarios/web/static.ts";
import { eventsText, stream } from "../../scenarios/web/stream.ts";
import { withChangedRows } from "../database/tables.ts";
import { LONGEST_BODY, tooLong } from "../model/body.ts";
import { messageOf, Mismatch } from "../model/errors.ts";
import { type ConformanceCheck, type Context, readResponse, wireText } from "./http.ts";

/** Scenarios with responses that contain current rows of the database. */
const ROW_SCENARIOS = [sql2, books, db, queries, fortunes];

/**
 * Number of responses of `/sql2` that are checked. About one of five million correct servers fails:
 * 60 random offsets miss the first or last quarter of the table with a probability of 2 * 0.75^60 =
 * 6.4e-8.
 */
const RESPONSES = 60;
/**
 * Maximum number of repeated pages. On average, C(60, 2) / 200,000 = 0.0089 pairs of offsets are
 * equal, and three pairs with a probability of 0.0089^3 / 3! = 1.2e-7.
 */
const MAY_REPEAT = 2;

/** In the check of the counter, every fourth request waits instead of every tenth. */
const EVERY = 4;
/** Number of waits that the check expects, each after {@linkcode EVERY} requests. */
const CYCLES = 3;
/** Delay of a waiting request in ms: long compared with every other delay of a response. */
const WAIT_MS = 800;
const PARALLEL = 20;
/** Random bounds of primes, as a server could store one response. More would be slow. */
const [FROM, TO] = [1000, 30_000];
/** Number of events, and milliseconds between two of them, in the check of a stream. */
const [EVENTS, EVENT_MS] = [4, 150];

export const ROUTE_CHECKS: readonly ConformanceCheck[] = [
  {
    id: "no-cache",
    name: "returns current rows, not cached ones",
    scenarios: ROW_SCENARIOS.map(({ id }) => id),
    async run(context): Promise<void> {
      await expectRowsOfDatabase(context); // a server with a cache fills it now
      await withChangedRows(context.facts.rows, async () => {
        try {
          await expectRowsOfDatabase(context);
        } catch (error) {
          if (!(error instanceof Mismatch)) throw error;
          throw new Mismatch(`${error.expected} once every row was changed`, error.got);
        }
      });
    },
  },
  {
    id: "random-offsets",
    name: "returns rows from the whole table",
    scenarios: [sql2.id],
    async run({ ask, facts }): Promise<void> {
      const ids: number[] = [];
      for (let i = 0; i < RESPONSES; i++) ids.push(expectRows(await ask(sql2.request))[0] ?? 0);
      const distinct = new Set(ids).size;
      if (distinct < RESPONSES - MAY_REPEAT) {
        throw new Mismatch(`${RESPONSES} pages at random offsets`, `only ${distinct} different`);
      }
      // Without ORDER BY, PostgreSQL reads rows in the order of ctid
      const [found] = await facts.rows(
        `SELECT min(place) AS least, max(place) AS most, (SELECT count(*)::int FROM users) AS rows
           FROM (SELECT id, (row_number() OVER (ORDER BY ctid) - 1)::int AS place FROM users) AS places
          WHERE id = ANY($1)`,
        [ids],
      );
      const { least, most, rows } = found as Readonly<Record<"least" | "most" | "rows", number>>;
      if (least < rows / 4 && most >= rows * 3 / 4) return;
      throw new Mismatch(
        `${RESPONSES} offsets all over ${rows} rows`,
        `offsets from ${least} to ${most} only`,
      );
    },
  },
  {
    id: "delay-counter",
    name: "counts the requests of all connections together",
    scenarios: ["delay"],
    async run({ ask }): Promise<void> {
      const waits: number[] = [];
      // Each request has a new connection, so a counter per connection never reaches four. Counters of
      // several processes or threads reach four in quick succession or irregularly.
      for (let i = 1; i <= CYCLES * EVERY; i++) {
        const start = performance.now();
        await ask(get(`/delay?every=${EVERY}&ms=${WAIT_MS}`));
        if (performance.now() - start > WAIT_MS / 2) waits.push(i);
      }
      const isRegular = waits.every((at, i) => i === 0 || at - (waits[i - 1] ?? 0) === EVERY);
      if (waits.length === CYCLES && isRegular) return;
      throw new Mismatch(
        `every ${EVERY}th of ${CYCLES * EVERY} requests to wait, each on a new connection`,
        waits.length === 0 ? "no wait" : `waits at the requests ${waits.join(", ")}`,
      );
    },
  },
  {
    id: "delay-parallel",
    name: `lets ${PARALLEL} requests wait at the same time`,
    scenarios: ["delay"],
    async run({ server, ask }): Promise<void> {
      await expectSideBySide(ask, Math.min(PARALLEL, server.maxConnections ?? PARALLEL));
    },
  },
  {
    id: "any-limit",
    name: "returns the primes up to any limit",
    scenarios: ["primes"],
    async run({ ask, facts, origin }): Promise<void> {
      const limit = FROM + Math.floor(Math.random() * (TO - FROM));
      for (const each of [2, limit]) await upTo(each).run(ask, facts, origin);
    },
  },
  {
    id: "static-codings",
    name: "compresses files only for clients that accept it",
    scenarios: [staticFile.id],
    async run(context): Promise<void> {
      const plain = await download(context, "identity");
      if (plain.coding !== null) throw new Mismatch("the file as it is", plain.coding);
      for (const wanted of ["gzip", "br", "gzip, br"]) {
        const { coding, vary, text } = await download(context, wanted);
        if (text !== plain.text) throw new Mismatch(`the file, as ${coding}`, "something else");
        if (coding === null) continue; // compression is optional
        if (!wanted.includes(coding)) throw new Mismatch(`the coding ${wanted}`, coding);
        if (!/(^|,)\s*(accept-encoding|\*)\s*(,|$)/i.test(vary)) {
          throw new Mismatch("Vary: Accept-Encoding", vary || "none");
        }
      }
    },
  },
  {
    id: "static-inside",
    name: "serves no file from another folder",
    scenarios: [staticFile.id],
    async run({ ask }): Promise<void> {
      const paths = ["..%2fhello.html", "%2e%2e/hello.html", "..%5chello.html", "../hello.html"];
      for (const path of paths) {
        const { status } = await ask(get(`/static/${path}`));
        if (status >= 300 && status < 500) continue;
        throw new Mismatch(`no file for ${path}`, `status ${status}`);
      }
    },
  },
  {
    id: "stream-one-by-one",
    name: "sends each event when it is due",
    scenarios: [stream.id],
    async run({ open }): Promise<void> {
      using wire = await open();
      const path = `/stream?events=${EVENTS}&ms=${EVENT_MS}`;
      await wire.write(wireText(get(path), { connection: "close" }));
      const events = eventsText(EVENTS).split("\n\n").slice(0, -1);
      let last = 0;
      for (const [i, event] of events.entries()) {
        wire.expect(`event ${i + 1}`);
        await wire.readTo(event);
        const ms = performance.now();
        // Half of the time, because a late event may be followed by the next one soon
        if (i > 1 && ms - last < EVENT_MS / 2) {
          throw new Mismatch(`${EVENT_MS} ms between events`, `${Math.round(ms - last)} ms`);
        }
        last = ms;
      }
    },
  },
];

/** Runs the checks of the scenarios with current rows. They compare responses with the database. */
async function expectRowsOfDatabase({ server, ask, facts, origin }: Context): Promise<void> {
  for (const { id, checks } of ROW_SCENARIOS) {
    if (!(id in server.scenarios)) continue;
    for (const check of checks) await check.run(ask, facts, origin);
  }
}

async function download(
  { open }: Context,
  wanted: string,
): Promise<{ coding: string | null; vary: string; text: string }> {
  using wire = await open();
  const headers = { ...FILE.headers, "accept-encoding": wanted };
  await wire.write(wireText({ ...FILE, headers }, { connection: "close" }));
  const { status, headers: got, body } = await readResponse(wire, "the file");
  if (status !== 200) throw new Mismatch("status 200", String(status));
  const coding = got.get("content-encoding");
  const text = new TextDecoder().decode(expanded(body, coding));
  return { coding, vary: got.get("vary") ?? "", text };
}

/** Decompresses a body. Throws a `Mismatch` if it has another coding or expands beyond 64 MiB. */
export function expanded(body: Uint8Array, coding: string | null): Uint8Array {
  if (coding === null) return body;
  const decode = new Map([["br", brotliDecompressSync], ["gzip", gunzipSync]]).get(coding);
  if (decode === undefined) throw new Mismatch("gzip or br", coding);
  try {
    return decode(body, { maxOutputLength: LONGEST_BODY });
  } catch (error) {
    if (error instanceof RangeError) throw tooLong();
    throw new Mismatch(`a body that is coded as ${coding}`, messageOf(error));
  }
}
