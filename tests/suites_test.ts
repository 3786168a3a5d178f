import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { readIndex } from "./suites/autobahn.ts";
import { readJunit } from "./suites/h2spec.ts";
import { runCases } from "./suites/http1.ts";
import { HTTP1_CASES } from "./suites/http1_cases.ts";
import { KNOWN } from "./suites/known.ts";
import { readNotes } from "./suites/redbot.ts";
import { type Finished, summary } from "./suites/run_suites.ts";
import { readMozilla, readScan } from "./suites/sslyze.ts";
import type { CaseResult, KnownFailure, Outcome } from "./suites/suite.ts";
import { SUITES } from "./suites/suites.ts";

function finished(id: string, outcome: Finished["outcome"]): Finished {
  return { suite: { id, name: id, run: () => Promise.resolve(outcome as Outcome) }, outcome };
}

function ran(problems: Readonly<Record<string, string | null>>): Outcome {
  const results = Object.entries(problems).map(([id, problem]) => ({ id, what: "what", problem }));
  return { kind: "ran", results };
}

const LISTED: readonly KnownFailure[] = [
  { suite: "a", cases: ["1", "2"], owner: "Deno", why: "reasons", link: "https://deno.com" },
  { suite: "a", cases: ["3"], owner: "Stampede", why: "chance", isUnsteady: true },
];

Deno.test("a failure that is listed is named with its owner, and one that is not fails", () => {
  const fine = summary([finished("a", ran({ 1: "x", 2: "y", 3: null, 4: null }))], LISTED);
  deepStrictEqual(fine.lines, [
    "suite  passed  failed   known",
    "a           2       0       2",
    "known, Deno's: a 1, 2: reasons (https://deno.com)",
  ]);
  ok(fine.isFine);
  const bad = summary([finished("a", ran({ 1: "x", 2: "y", 4: "broken" }))], LISTED);
  ok(!bad.isFine);
  match(bad.lines.join("\n"), /^FAILED a 4, what: broken$/m);
  const other = summary([finished("b", ran({ 1: "x" }))], LISTED);
  ok(!other.isFine, "the list of one suite says nothing of another one");
});

Deno.test("a listed case that fails in another way fails", () => {
  const listed = [{ suite: "a", cases: ["1"], owner: "Deno" as const, why: "x", problem: /1009/ }];
  ok(summary([finished("a", ran({ 1: "closed with 1009" }))], listed).isFine);
  const other = summary([finished("a", ran({ 1: "closed with 1006" }))], listed);
  ok(!other.isFine);
  match(other.lines.join("\n"), /^FAILED a 1, what: closed with 1006$/m);
});

Deno.test("a listed failure that passes has to leave the list, unless it fails by chance", () => {
  const { lines, isFine } = summary([finished("a", ran({ 1: null, 2: "y", 3: null }))], LISTED);
  ok(!isFine);
  match(lines.join("\n"), /^PASSED a 1, a known failure: remove it/m);
});

Deno.test("a suite that is missing is never one that passed, and a broken one fails", () => {
  const missing = summary([finished("a", { kind: "missing", why: "go not found" })], LISTED);
  strictEqual(missing.lines[1], "a     missing: go not found");
  ok(missing.isFine);
  const broken = summary([finished("a", { kind: "broken", why: "no report" })], LISTED);
  strictEqual(broken.lines[1], "a     broken: no report");
  ok(!broken.isFine);
});

Deno.test("known failures name suites that there are, and cases of HTTP/1.1 that there are", () => {
  const suites = SUITES.map(({ id }) => id);
  const cases = HTTP1_CASES.map(({ id }) => id);
  strictEqual(new Set(cases).size, cases.length, "two cases have the same id");
  for (const { suite, cases: listed, link } of KNOWN) {
    ok(suites.includes(suite), suite);
    if (suite === "http1") { for (const id of listed) ok(cases.includes(id), id); }
    if (link !== undefined) match(link, /^https:\/\//);
  }
  for (const { id, rfc } of HTTP1_CASES) match(rfc, /^\d{4} \d+(\.\d+)*$/, id);
});

Deno.test("reports of other programs are read", async (t) => {
  await t.step("h2spec numbers the cases of a section", () => {
    const xml =
      `<testsuite><testcase package="http2/5.1" classname="one &#34;x&#34;" time="1"></testcase>
<testcase package="http2/5.1" classname="two" time="1"><failure>GOAWAY expected
  DATA came</failure></testcase><testcase package="hpack/2" classname="three" time="0"></testcase>`;
    deepStrictEqual(readJunit(xml), [
      { id: "http2/5.1/1", what: 'one "x"', problem: null },
      { id: "http2/5.1/2", what: "two", problem: "GOAWAY expected DATA came" },
      { id: "hpack/2/1", what: "three", problem: null },
    ]);
  });
  await t.step("Autobahn has two verdicts on a case", () => {
    const verdict = (behavior: string, behaviorClose: string): unknown => ({
      behavior,
      behaviorClose,
      remoteCloseCode: 1000,
    });
    const json = JSON.stringify({
      agent: {
        "1.1.1": verdict("OK", "OK"),
        "6.4.3": verdict("NON-STRICT", "OK"),
        "7.3.6": verdict("OK", "WRONG CODE"),
        "5.1": verdict("FAILED", "OK"),
      },
    });
    deepStrictEqual(readIndex(json).map(({ id, problem }) => [id, problem]), [
      ["1.1.1", null],
      ["6.4.3", null],
      ["7.3.6", "OK, end WRONG CODE, closed with 1000"],
      ["5.1", "FAILED, end OK, closed with 1000"],
    ]);
  });
  await t.step("REDbot's notes count by their level", () => {
    const report = (level: string, id: string): string =>
      JSON.stringify({
        log: { entries: [{ _red_messages: [{ level, note_id: id, summary: "It is so." }] }] },
      });
    strictEqual(readNotes(report("GOOD", "DATE_CORRECT")), null);
    strictEqual(readNotes(report("WARN", "FRESHNESS_HEURISTIC")), null);
    strictEqual(readNotes(report("BAD", "CL_INCORRECT")), "It is so.");
  });
  await t.step("SSLyze: a scan that is not there has not passed", () => {
    const json = JSON.stringify({
      server_scan_results: [{
        scan_result: {
          heartbleed: { status: "COMPLETED", result: { is_vulnerable_to_heartbleed: true } },
          tls_compression: { status: "COMPLETED", result: { supports_compression: false } },
        },
      }],
    });
    const problems = new Map(readScan(json).map(({ id, problem }) => [id, problem]));
    strictEqual(problems.get("tls_compression/supports_compression"), null);
    strictEqual(
      problems.get("heartbleed/is_vulnerable_to_heartbleed"),
      "is_vulnerable_to_heartbleed is true",
    );
    strictEqual(problems.get("robot/robot_result"), "the scan says nothing");
  });
  await t.step("Mozilla's objections are cases", () => {
    const text = (verdict: string): string =>
      ` COMPLIANCE AGAINST TLS CONFIGURATION\n ---\n\n    127.0.0.1:1: ${verdict}\n`;
    const problems = (verdict: string): unknown =>
      readMozilla(text(verdict)).map(({ id, problem }: CaseResult) => [id, problem]);
    deepStrictEqual(problems("OK - Compliant."), [["mozilla", null]]);
    deepStrictEqual(problems("FAILED - Not compliant.\n        * ciphers: Weak ones."), [
      ["mozilla/ciphers", "Weak ones."],
    ]);
    deepStrictEqual(problems("nothing"), [["mozilla", "there is no verdict"]]);
  });
});

/** Starts a server that accepts any request, and also answers requests that are hidden in bodies. */
function lenientServer(): Deno.Listener & { readonly addr: Deno.NetAddr } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serve = async (connection: Deno.TcpConn): Promise<void> => {
    try {
      const buffer = new Uint8Array(65536);
      for (let count; (count = await connection.read(buffer)) !== null;) {
        const text = new TextDecoder("latin1").decode(buffer.subarray(0, count));
        const heads = text.split("\r\n\r\n").filter((part) => part.includes("HTTP/")).length;
        const response = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        await connection.write(new TextEncoder().encode(response.repeat(heads)));
      }
    } catch {
      // The client has disconnected
    } finally {
      connection.close();
    }
  };
  (async () => {
    for await (const connection of listener) serve(connection);
  })().catch(() => {});
  return listener;
}

Deno.test("cases of HTTP/1.1 fail at a server that accepts everything", async () => {
  using listener = lenientServer();
  const ids = ["COMP-BASELINE", "RFC9112-5-HEADER-NO-COLON", "SMUG-CLTE-CONN-CLOSE"];
  const cases = HTTP1_CASES.filter(({ id }) => ids.includes(id));
  const results = await runCases(`http://127.0.0.1:${listener.addr.port}`, cases);
  deepStrictEqual(results.map(({ id, problem }) => [id, problem?.split(";")[0] ?? null]), [
    ["COMP-BASELINE", null],
    ["RFC9112-5-HEADER-NO-COLON", "200, kept open"],
    ["SMUG-CLTE-CONN-CLOSE", "200 and 200, kept open"],
  ]);
});
