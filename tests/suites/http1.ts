import { bytesOf, connectTo, write } from "../rude_client.ts";
import { HTTP1_CASES, type Http1Case, type Right } from "./http1_cases.ts";
import type { CaseResult, Suite } from "./suite.ts";

/** Cases that run in parallel. */
const PARALLEL = 16;
/** Timeout for the first byte of a response, and for an expected close, in ms. */
const TIMEOUT_MS = 5000;
/** A response is complete, or absent, after this time without a byte, in ms. */
const QUIET_MS = 400;
/** Pause between two parts of a request, so that they arrive separately, in ms. */
const PAUSE_MS = 60;

/** Everything the server sent on a connection. */
interface Came {
  readonly text: string;
  readonly isClosed: boolean;
}

/** Published cases of HTTP/1.1; needs no program. */
export const HTTP1: Suite = {
  id: "http1",
  name: "HTTP/1.1: cases of Http11Probe, llhttp and h1spec",
  run: async ({ http }) => ({ kind: "ran", results: await runCases(http, HTTP1_CASES) }),
};

/** Runs cases against a server. */
export async function runCases(
  origin: string,
  cases: readonly Http1Case[],
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (let from = 0; from < cases.length; from += PARALLEL) {
    const some = cases.slice(from, from + PARALLEL);
    results.push(...await Promise.all(some.map((one) => runCase(origin, one))));
  }
  return results;
}

async function runCase(origin: string, one: Http1Case): Promise<CaseResult> {
  const { id, what, level, rfc, right } = one;
  const came = await exchange(origin, one);
  const isRight = right.some((end) => fits(came, end));
  const problem = isRight
    ? null
    : `${describe(came)}; RFC ${rfc} (${level}): ${right.map(nameOf).join(" or ")}`;
  return { id, what, problem };
}

async function exchange(origin: string, { sends, right }: Http1Case): Promise<Came> {
  using connection = await connectTo(origin);
  connection.setNoDelay(true);
  const reading = read(connection, right);
  for (const [i, part] of sends.entries()) {
    if (i > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    // A server may refuse a request before it has read all of it
    await write(connection, bytesOf(part)).catch(() => {});
  }
  return await reading;
}

/** Reads until the connection is closed, or no more is expected. */
async function read(connection: Deno.TcpConn, right: readonly Right[]): Promise<Came> {
  // Silence is confirmed quickly if it is right; a close is waited for if it must come
  const silenceIsRight = right.some(({ status, closes }) => status === null && closes === false);
  const endIsRight = right.every(({ closes }) => closes === true);
  const buffer = new Uint8Array(65536);
  let text = "";
  for (;;) {
    const isBegun = text !== "" && statusesOf(text).length > 0;
    const ms = (isBegun ? endIsRight : !silenceIsRight) ? TIMEOUT_MS : QUIET_MS;
    const { promise: silence, resolve } = Promise.withResolvers<"silent">();
    const timer = setTimeout(() => resolve("silent"), ms);
    const count = await Promise.race([connection.read(buffer).catch(() => null), silence]);
    clearTimeout(timer);
    if (count === "silent") return { text, isClosed: false };
    if (count === null) return { text, isClosed: true };
    text += new TextDecoder("latin1").decode(buffer.subarray(0, count));
  }
}

/** Returns the final statuses of all responses in a text. */
function statusesOf(text: string): string[] {
  return [...text.matchAll(/HTTP\/1\.[01] ([2-5]\d\d)/g)].map(([, status = ""]) => status);
}

function fits({ text, isClosed }: Came, { status, closes, has, lacks }: Right): boolean {
  const isStatus = status === null
    ? text === ""
    : new RegExp(`^${status.replaceAll("x", "\\d")}$`).test(statusesOf(text).join());
  return isStatus && (closes ?? isClosed) === isClosed && (has?.test(text) ?? true) &&
    !(lacks?.test(text) ?? false);
}

function describe({ text, isClosed }: Came): string {
  const statuses = statusesOf(text).join(" and ");
  const what = text === ""
    ? "no response"
    : statuses === ""
    ? JSON.stringify(text.slice(0, 40))
    : statuses;
  return `${what}, ${isClosed ? "closed" : "kept open"}`;
}

function nameOf({ status, closes, has, lacks }: Right): string {
  const what = status ?? "no response";
  const end = closes === undefined ? "" : closes ? ", closed" : ", kept open";
  return `${what}${end}${has ? ` with ${has}` : ""}${lacks ? ` without ${lacks}` : ""}`;
}
