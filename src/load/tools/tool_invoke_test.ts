import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { TOOLS } from "../generator_list.ts";
import { POST } from "./testdata/run_tool.ts";
import type { Tool, ToolLoad } from "./tool.ts";

const [wrk, oha, ab, hey, h2load, k6] = TOOLS as [Tool, Tool, Tool, Tool, Tool, Tool];

const URL_OF_ALL = "http://127.0.0.1:8080/x";
const LOAD: ToolLoad = {
  alpn: null,
  url: URL_OF_ALL,
  request: { method: "GET", path: "/x", headers: { accept: "text/plain" }, body: null },
  connections: 64,
  threads: 2,
  seconds: 5,
  requests: null,
  timeoutS: 2.5,
};
const COUNTED: ToolLoad = { ...LOAD, seconds: null, requests: 1000 };
const POSTED: ToolLoad = { ...LOAD, request: POST };

/** Returns the command line as one text. */
function lineOf(tool: Tool, load: ToolLoad): string {
  return tool.invoke(load).argv.join(" ");
}

/** Joins the parts of a command. */
function line(...parts: string[]): string {
  return parts.join(" ");
}

Deno.test("tools stand in the order of preference", () => {
  deepStrictEqual(TOOLS.map(({ id }) => id), ["wrk", "oha", "ab", "hey", "h2load", "k6"]);
});

Deno.test("wrk is told its threads, whole seconds and a script", () => {
  const rest = "--duration 5s --timeout 3s --script {DIR}/report.lua";
  strictEqual(
    lineOf(wrk, LOAD),
    `wrk --threads 2 --connections 64 ${rest} ${URL_OF_ALL}`,
  );
  const threads = [[8, 12, 6], [3, 64, 2], [4, 7, 1], [64, 3, 3], [0, 5, 1]] as const;
  for (const [asked, connections, given] of threads) {
    match(lineOf(wrk, { ...LOAD, threads: asked, connections }), RegExp(`--threads ${given} `));
  }
  deepStrictEqual(wrk.invoke(LOAD).result, null);
});

Deno.test("oha is told time, number, headers and body", () => {
  const before = "oha --no-tui --output-format json -c 64";
  const after = "-t 2500ms --redirect 0 --disable-compression";
  strictEqual(
    lineOf(oha, LOAD),
    `${before} -z 5000ms ${after} -m GET -H accept: text/plain ${URL_OF_ALL}`,
  );
  strictEqual(
    lineOf(oha, POSTED),
    line(
      `${before} -z 5000ms ${after} -m POST -H Content-Type: application/json`,
      `-H x-foo: b"a\\r: z -D {DIR}/body ${URL_OF_ALL}`,
    ),
  );
  match(lineOf(oha, COUNTED), / -n 1000 /);
  deepStrictEqual(oha.invoke(POSTED).files, { body: POST.body });
});

Deno.test("oha opens a new connection for each request if the request closes it", () => {
  const request = { ...LOAD.request, headers: { connection: "close" } };
  match(lineOf(oha, { ...LOAD, request }), / --disable-keepalive -m GET -H connection: close /);
  ok(!lineOf(oha, LOAD).includes("--disable-keepalive"));
});

Deno.test("ab is told a number after the time, and the type of a body once", () => {
  const after = "-s 3 -e {DIR}/percentiles.csv";
  strictEqual(
    lineOf(ab, LOAD),
    `ab -k -r -l -q -c 64 -t 5 -n 2500000 ${after} -H accept: text/plain ${URL_OF_ALL}`,
  );
  strictEqual(
    lineOf(ab, POSTED),
    line(
      `ab -k -r -l -q -c 64 -t 5 -n 2500000 ${after} -p {DIR}/body -T application/json`,
      `-H x-foo: b"a\\r: z ${URL_OF_ALL}`,
    ),
  );
  match(lineOf(ab, COUNTED), /-c 64 -n 1000 -s 3/);
  match(lineOf(ab, { ...COUNTED, requests: 10 }), / -n 64 /);
  const optionsOf = (method: "HEAD" | "PUT" | "DELETE", body: string | null): string =>
    lineOf(ab, { ...LOAD, request: { method, path: "/x", headers: {}, body } }).split(".csv ")[1] ??
      "";
  strictEqual(optionsOf("HEAD", null), `-i ${URL_OF_ALL}`);
  strictEqual(optionsOf("DELETE", null), `-m DELETE ${URL_OF_ALL}`);
  strictEqual(optionsOf("PUT", "x"), `-p {DIR}/body -m PUT ${URL_OF_ALL}`);
  strictEqual(ab.invoke(LOAD).result, "percentiles.csv");
});

Deno.test("hey is told its cores, and as many requests for each connection", () => {
  const after = "-t 3 -disable-redirects -disable-compression";
  strictEqual(
    lineOf(hey, LOAD),
    `hey -c 64 -z 5000ms ${after} -m GET -H accept: text/plain ${URL_OF_ALL}`,
  );
  strictEqual(
    lineOf(hey, POSTED),
    line(
      `hey -c 64 -z 5000ms ${after} -m POST -D {DIR}/body -H Content-Type: application/json`,
      `-H x-foo: b"a\\r: z ${URL_OF_ALL}`,
    ),
  );
  match(lineOf(hey, COUNTED), / -n 1024 /);
  const request = { ...LOAD.request, headers: { Host: "example.org" } };
  match(lineOf(hey, { ...LOAD, request }), / -host example\.org /);
});

Deno.test("h2load speaks what it is told to, one request under way on each connection", () => {
  const rest = "--connection-inactivity-timeout 2500ms --log-file={DIR}/requests.log";
  const line = (alpn: ToolLoad["alpn"]): string => lineOf(h2load, { ...LOAD, alpn });
  for (const alpn of [null, "http/1.1"] as const) {
    match(
      line(alpn),
      /^h2load --clients 64 --threads 2 --max-concurrent-streams 1 --h1 --duration/,
    );
  }
  strictEqual(line("h2").includes("--h1"), false);
  ok(line("h2").includes(`--duration 5000ms ${rest} --header :method: GET`));
  match(lineOf(h2load, POSTED), / --data \{DIR\}\/body --header :method: POST /);
  match(lineOf(h2load, COUNTED), / --requests 1000 /);
  strictEqual(h2load.invoke({ ...LOAD, seconds: 600 }).result, null);
});

Deno.test("oha and k6 speak HTTP/2, and trust the server's certificate", () => {
  match(lineOf(oha, { ...LOAD, alpn: "h2" }), / --insecure --http-version 2 /);
  match(lineOf(oha, { ...LOAD, alpn: "http/1.1" }), / --insecure --http-version 1\.1 /);
  const script = k6.invoke({ ...LOAD, alpn: "h2" }).files["load.js"] ?? "";
  match(script, /insecureSkipTLSVerify: true,/);
});

Deno.test("k6 is told everything by its script", () => {
  const run = "k6 run --quiet --no-color --no-usage-report --address ";
  strictEqual(lineOf(k6, LOAD), `${run} --env SUMMARY={DIR}/summary.json {DIR}/load.js`);
  const scriptOf = (load: ToolLoad): string => k6.invoke(load).files["load.js"] ?? "";
  match(
    scriptOf(LOAD),
    /\{"vus":64,"gracefulStop":"0s","executor":"constant-vus","duration":"5000ms"\}/,
  );
  match(scriptOf(LOAD), /endsAt = sinceStart\(\) \+ 5000;/);
  match(scriptOf(LOAD), /"timeout":"2500ms"/);
  match(scriptOf(LOAD), /http\.request\("GET", "http:\/\/127\.0\.0\.1:8080\/x", null, params\)/);
  match(
    scriptOf(POSTED),
    /http\.request\("POST", "[^"]+", "\{\\"name\\":\\"Jürgen\\"\}\\n", params/,
  );
  match(scriptOf(COUNTED), /"executor":"shared-iterations","iterations":1000,/);
  strictEqual(k6.invoke(LOAD).result, "summary.json");
});
