import { ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import {
  booleanParameter,
  createRouter,
  HttpError,
  integerParameter,
  parameter,
} from "../../src/server/http.ts";
import { readJson } from "../../src/server/routes/bodies.ts";
import { accepted, holds } from "./inputs.ts";

const PART = fc.oneof(fc.string(), fc.constantFrom("n", "n=1", "=", "&", "%6e=1", "n=%31", "n=+1"));
const QUERY = fc.array(PART, { maxLength: 4 }).map((parts) => parts.join("&"));

/** Returns a URL as a server receives it, percent-encoded. */
function urlOf(query: string): string {
  return new URL(`http://127.0.0.1/primes?${query.replaceAll("#", "")}`).href;
}

holds("a parameter is what URLSearchParams says that it is", QUERY, (query) => {
  const url = urlOf(query);
  strictEqual(parameter(url, "n"), new URL(url).searchParams.get("n") ?? undefined, url);
});

holds("a number in a query is in its range, or refused", QUERY, async (query) => {
  const rule = { min: 2, max: 5000, fallback: 1000 };
  const url = urlOf(query);
  // Its constructor takes a status first
  const refusal = HttpError as unknown as new (message: string) => Error;
  const n = await accepted(() => integerParameter(url, "n", rule), refusal);
  ok(n === undefined || (Number.isInteger(n) && n >= rule.min && n <= rule.max));
  const flag = await accepted(() => booleanParameter(url, "n"), refusal);
  ok(flag === undefined || typeof flag === "boolean");
});

const respond = createRouter({ "/": { GET: () => new Response("root") } });

holds(
  "what has no route is 404 or 405, whatever its path",
  fc.record({ path: fc.webPath(), method: fc.constantFrom("GET", "POST", "PUT", "OPTIONS") }),
  async ({ path, method }) => {
    const url = new URL(`http://127.0.0.1${path.startsWith("/") ? path : `/${path}`}`);
    const { status } = await respond(new Request(url, { method }));
    const isRoot = url.pathname === "/";
    strictEqual(status, isRoot ? method === "GET" ? 200 : 405 : 404);
  },
);

holds(
  "a body is read as it was written, whatever length was announced",
  fc.tuple(fc.json(), fc.option(fc.oneof(fc.nat().map(String), fc.string()))),
  async ([json, length]) => {
    const request = new Request("http://127.0.0.1/", { method: "POST", body: json });
    const refusal = HttpError as unknown as new (message: string) => Error;
    const read = await accepted(() => readJson(request, length), refusal);
    if (read === undefined) ok(Number(length) > 65536);
    else strictEqual(JSON.stringify(read), JSON.stringify(JSON.parse(json)));
  },
);
