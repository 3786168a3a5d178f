import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { Mismatch } from "../model/errors.ts";
import { CHECKS, checksFor, conform, outcomeOf } from "./conform.ts";
import { HELLO, serve, server } from "./conformance_testdata.ts";
import type { ConformanceCheck } from "./http.ts";

const FACTS = { helloHtml: HELLO, rows: () => Promise.resolve([]) };

Deno.test("outcomeOf: a must fails, a should warns, an exception warns with its reason", async () => {
  const outcome = async (
    isAdvice: boolean,
    isRight: boolean,
    exceptions: Record<string, string> = {},
  ): Promise<{ status: string; message: string | null }> => {
    const check: ConformanceCheck = {
      id: "date",
      name: "sends a Date header",
      isAdvice,
      run: () => isRight ? Promise.resolve() : Promise.reject(new Mismatch("x", "y")),
    };
    const { signal: abort } = new AbortController();
    const context = { origin: "", server: server([], { exceptions }), facts: FACTS, abort };
    const { status, message } = await outcomeOf(check, context);
    return { status, message };
  };
  const message = "expected x, got y";
  const exceptions = { date: "no clock" };
  const excepted = { status: "warn", message: `${message} (excepted: no clock)` };
  deepStrictEqual(await outcome(false, true), { status: "pass", message: null });
  deepStrictEqual(await outcome(false, false), { status: "fail", message });
  deepStrictEqual(await outcome(true, false), { status: "warn", message });
  deepStrictEqual(await outcome(false, false, exceptions), excepted);
  deepStrictEqual(await outcome(false, true, exceptions), { status: "pass", message: null });
  deepStrictEqual(await outcome(true, false, exceptions), excepted);
});

Deno.test("checks apply to what a server implements", () => {
  const idsOf = (scenarios: readonly string[], http: "full" | "minimal" = "full"): string[] =>
    checksFor(server(scenarios, { http })).map(({ id }) => id);
  const http = [
    "keep-alive",
    "http-1.0",
    "connection-close",
    "split-request",
    "pipelining",
    "date",
    "unknown-path",
    "head",
    "method",
  ];
  deepStrictEqual(idsOf(["text"]), http);
  deepStrictEqual(idsOf(["text", "sql1"]), http);
  deepStrictEqual(idsOf(["text", "books"]), [...http, "no-cache"]);
  deepStrictEqual(idsOf(["text", "sql2"]), [...http, "no-cache", "random-offsets"]);
  const delay = ["bad-parameter", "delay-counter", "delay-parallel"];
  deepStrictEqual(idsOf(["text", "delay"]), [...http, ...delay]);
  deepStrictEqual(idsOf(["text", "primes"]), [...http, "bad-parameter", "any-limit"]);
  deepStrictEqual(idsOf(["text", "static"]), [...http, "static-codings", "static-inside"]);
  deepStrictEqual(idsOf(["text", "stream"]), [...http, "stream-one-by-one"]);
  for (const id of ["db", "queries", "fortunes"]) ok(idsOf([id]).includes("no-cache"), id);
  const everything = SCENARIOS.map(({ id }) => id);
  strictEqual(idsOf(everything).length, CHECKS.length);
  deepStrictEqual(idsOf(everything, "minimal"), ["keep-alive"]);
});

Deno.test("conform asks a server for everything that applies to it", async () => {
  using right = serve();
  const manifest = server(["text", "json", "delay", "primes", "schema"]);
  const outcomes = await Array.fromAsync(conform(manifest, right.origin, FACTS));
  deepStrictEqual(outcomes.filter(({ status }) => status !== "pass"), []);
  strictEqual(outcomes.length, 13);
});

Deno.test("conform says what is wrong, with exceptions, and goes on", async () => {
  using closing = serve({ closes: () => true });
  const manifest = server(["text"], {
    exceptions: { "keep-alive": "each has its process", "keepalive": "mistaken" },
  });
  const outcomes = await Array.fromAsync(conform(manifest, closing.origin, FACTS));
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  deepStrictEqual(byId.get("keep-alive"), {
    id: "keep-alive",
    name: "answers several requests on one connection",
    status: "warn",
    message:
      "expected a response to the second request within 5 s, got the connection closed (excepted: each has its process)",
  });
  strictEqual(byId.get("pipelining")?.status, "fail");
  strictEqual(byId.get("keepalive")?.message, "no check has this name");
  strictEqual(byId.get("http-1.0")?.status, "pass");
});

Deno.test("conform fails a server that is away, and ends when it is aborted", async () => {
  const { origin } = (() => {
    using gone = serve();
    return gone;
  })();
  const outcomes = await Array.fromAsync(conform(server(["text"]), origin, FACTS));
  deepStrictEqual(outcomes.filter(({ status }) => status === "pass"), []);

  using silent = serve({ respond: () => null });
  const abort = AbortSignal.timeout(300);
  const startMs = performance.now();
  await rejects(Array.fromAsync(conform(server(["text"]), silent.origin, FACTS, abort)), {
    name: "TimeoutError",
  });
  strictEqual(performance.now() - startMs < 2000, true);
});
