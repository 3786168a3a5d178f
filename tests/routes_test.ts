import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { SCENARIOS } from "../scenarios/mod.ts";
import { verify } from "../src/target/verify.ts";
import { type Stage, withServer } from "./stage.ts";

/** Scenarios that are measured by default, which the server must implement. */
const OWN = SCENARIOS.filter(({ isDefault }) => isDefault);
const PROBE = fileURLToPath(new URL("../src/server/testdata/permission_probe.ts", import.meta.url));
const HELLO = await Deno.readTextFile(new URL("../hello.html", import.meta.url));

async function problemOf(response: Response): Promise<{ detail: string; errors?: unknown[] }> {
  strictEqual(response.headers.get("content-type"), "application/problem+json");
  const problem = await response.json();
  strictEqual(problem.status, response.status);
  return problem;
}

async function everyScenarioVerifies({ server, client }: Stage): Promise<void> {
  for (const scenario of OWN) {
    const facts = { helloHtml: HELLO, rows: client.query };
    const { results, loaded } = await verify(server.origin, scenario, facts);
    for (const { name, problem } of results) strictEqual(problem, null, `${scenario.id}: ${name}`);
    ok(loaded, `${scenario.id}: the request under load is not among the checks`);
    if (scenario.underLoad instanceof RegExp) match(loaded.text, scenario.underLoad);
    scenario.expect(loaded, facts);
  }
}

async function unknownAndWrong({ server: { origin } }: Stage): Promise<void> {
  const nothing = await fetch(`${origin}/nothing`);
  strictEqual(nothing.status, 404);
  match((await problemOf(nothing)).detail, /nothing at \/nothing/);
  for (const { request } of OWN) {
    const path = request.path.split("?")[0] ?? "";
    const allow = request.method === "GET" ? "GET, HEAD" : "POST";
    for (const method of ["PUT", "DELETE", request.method === "GET" ? "POST" : "GET"]) {
      const response = await fetch(origin + path, { method });
      strictEqual(response.status, 405, `${method} ${path}`);
      strictEqual(response.headers.get("allow"), allow);
      await problemOf(response);
    }
  }
}

/** Checks that `queries` is a number only if it consists of decimal digits. */
async function numbersOfRows({ server: { origin } }: Stage): Promise<void> {
  const cases = { "5": 5, "501": 500, "0x10": 1, "20;drop table": 1, "5%00": 1, "+5": 1, "1e2": 1 };
  for (const [text, count] of Object.entries(cases)) {
    const rows = await (await fetch(`${origin}/queries?queries=${text}`)).json();
    strictEqual(rows.length, count, text);
  }
}

async function badParameters({ server: { origin } }: Stage): Promise<void> {
  const cases = {
    "/delay?ms=-1": /"ms" must be a whole number from 0 to 60000/,
    "/delay?ms=60001": /"ms" must be a whole number from 0 to 60000/,
    "/delay?every=0": /"every" must be a whole number from 1 to 1000000/,
    "/primes?limit=1": /"limit" must be a whole number from 2 to 10000000/,
    "/primes?limit=1e6": /"limit" must be a whole number from 2 to 10000000/,
    "/primes?offload=no": /"offload" must be true or false/,
  };
  for (const [path, message] of Object.entries(cases)) {
    const response = await fetch(origin + path);
    strictEqual(response.status, 400, path);
    match((await problemOf(response)).detail, message);
  }
}

async function violationsAreNamed({ server: { origin } }: Stage): Promise<void> {
  const body = '{"requiredKey":[1,2.5,3,4],"enumKey":"Jane","someKey":5}';
  const headers = { "content-type": "application/json" };
  const url = `${origin}/schema?excitement=high`;
  const response = await fetch(url, { method: "POST", headers, body });
  strictEqual(response.status, 400);
  deepStrictEqual((await problemOf(response)).errors, [
    { at: "header", message: "must have required property 'x-foo'" },
    { at: "query/excitement", message: 'must match pattern "^-?[0-9]+$"' },
    { at: "body/requiredKey", message: "must NOT have more than 3 items" },
    { at: "body/requiredKey/1", message: "must be integer" },
    { at: "body/someKey", message: "must be string" },
    { at: "body/enumKey", message: "must be equal to one of the allowed values: John, Foo" },
  ]);
}

async function bodiesOfUnknownLength({ server: { origin } }: Stage): Promise<void> {
  const post = (text: string): Promise<Response> =>
    fetch(`${origin}/schema`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-foo": "a" },
      body: new Blob([text]).stream(), // sent in chunks, without a content-length
    });
  for (
    const [text, status] of [
      ['{"requiredKey":[1]}', 200],
      ['{"requiredKey":[1]', 400],
      [`{"requiredKey":[1],"pad":"${"x".repeat(70_000)}"}`, 413],
    ] as const
  ) {
    const response = await post(text);
    strictEqual(response.status, status);
    await response.body?.cancel();
  }
}

/** Checks two equal lengths: one length by RFC 9112, but their combined header is not a number. */
async function bodiesOfTwoLengths({ server: { origin } }: Stage): Promise<void> {
  const { hostname, port } = new URL(origin);
  for (
    const [padding, status] of [["", 200], ["x".repeat(70_000), 413]] as const
  ) {
    const body = `{"requiredKey":[1],"pad":"${padding}"}`;
    const length = `content-length: ${body.length}\r\n`;
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const head =
      `POST /schema HTTP/1.1\r\nhost: x\r\nx-foo: a\r\ncontent-type: application/json\r\n`;
    await connection.write(new TextEncoder().encode(`${head}${length}${length}\r\n${body}`));
    const response = new Uint8Array(1000);
    const count = await connection.read(response);
    const text = new TextDecoder().decode(response.subarray(0, count ?? 0));
    match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
  }
}

async function primesOnBothThreads({ server: { origin } }: Stage): Promise<void> {
  const responses = await Promise.all(
    ["true", "false"].map(async (offload) =>
      (await fetch(`${origin}/primes?limit=100000&offload=${offload}`)).text()
    ),
  );
  strictEqual(responses[0], responses[1]);
  ok(responses[0]?.includes("99991"));
}

async function permissionsAreLeast({ server: { pid } }: Stage): Promise<void> {
  const list = async (file: string): Promise<string[]> =>
    (await Deno.readTextFile(`/proc/${pid}/${file}`)).split("\0").slice(0, -1);
  const [command = "", ...args] = await list("cmdline");
  const swapped = args.map((arg) => arg.endsWith("src/server/main.ts") ? PROBE : arg);
  ok(swapped.includes(PROBE), args.join(" "));
  const { stdout, stderr } = await new Deno.Command(command, {
    args: swapped,
    cwd: await Deno.readLink(`/proc/${pid}/cwd`),
    env: Object.fromEntries((await list("environ")).map((entry) => entry.split(/=(.*)/s))),
    clearEnv: true,
  }).output();
  const [line = "{}"] = new TextDecoder().decode(stdout).split("\n");
  const results: Record<string, string> = JSON.parse(line);
  const NEEDED = ["reads hello.html", "connects to its database", "knows its port"];
  const expected = Object.keys(results).map((what) => [
    what,
    NEEDED.includes(what) ? "done" : "NotCapable",
  ]);
  ok(expected.length > 15, line + new TextDecoder().decode(stderr));
  deepStrictEqual(results, Object.fromEntries(expected));
}

Deno.test("Stampede's server", async (t) => {
  await withServer(async (stage) => {
    const steps = [
      everyScenarioVerifies,
      unknownAndWrong,
      numbersOfRows,
      badParameters,
      violationsAreNamed,
      bodiesOfUnknownLength,
      bodiesOfTwoLengths,
      primesOnBothThreads,
      permissionsAreLeast,
    ];
    for (const step of steps) await t.step(step.name, () => step(stage));
  });
});
