import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import type { Scenario } from "../model/scenario.ts";
import { resolve } from "node:path";
import type { RequestOptions } from "./url_target.ts";
import { isUrl, readUrls as read } from "./url_target.ts";
import type { Selection } from "./options.ts";

const readUrls = (
  urls: readonly string[],
  options: RequestOptions,
  others: readonly Scenario[],
): Promise<Selection> => read(urls, options, others, (path) => resolve(path));
const HOST = "http://127.0.0.1:3000";

async function only(url: string, options = {}): Promise<Scenario> {
  return (await readUrls([url], options, [])).scenarios[0] as Scenario;
}

Deno.test("isUrl knows a URL from a scenario", () => {
  deepStrictEqual(["http://x", "HTTP://x", "ftp://x", "text", "a:b"].map(isUrl), [
    true,
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("readUrls makes servers of hosts and scenarios of paths", async () => {
  const urls = [`${HOST}/a?x=1`, "http://localhost:80/b", `${HOST}`, "http://[::1]:8/b"];
  const { servers, scenarios } = await readUrls(urls, {}, []);
  deepStrictEqual(scenarios.map(({ id }) => id), ["/a?x=***", "/b", "/"]);
  deepStrictEqual(servers.map(({ id, scenarios }) => [id, ...Object.keys(scenarios)]), [
    ["127.0.0.1:3000", "/a?x=***", "/"],
    ["localhost", "/b"],
    ["[::1]:8", "/b"],
  ]);
  deepStrictEqual(servers[0]?.attached, { origin: HOST, pid: null });
});

Deno.test("readUrls sends what the options say", async () => {
  deepStrictEqual((await only(`${HOST}/x`)).request, {
    method: "GET",
    path: "/x",
    headers: {},
    body: null,
  });
  const header = ["K: a b", "k2:v: w", "empty:"];
  const scenario = await only(`${HOST}/x`, { header, data: "hi" });
  strictEqual(scenario.id, "POST /x");
  deepStrictEqual(scenario.request, {
    method: "POST",
    path: "/x",
    body: "hi",
    headers: { "content-type": "text/plain;charset=UTF-8", k: "a b", k2: "v: w", empty: "" },
  });
  const file = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(file, '{"a":1}');
    const put = await only(`${HOST}/x`, { request: "PUT", data: `@${file}` });
    deepStrictEqual([put.request.method, put.request.body], ["PUT", '{"a":1}']);
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("readUrls says what a body is, and lets compressed bodies be", async () => {
  const type = async (options: object): Promise<string | undefined> =>
    (await only(`${HOST}/x`, options)).request.headers["content-type"];
  deepStrictEqual([
    await type({ data: '{"a":1}' }),
    await type({ data: "a=1" }),
    await type({}),
    await type({ data: "[]", header: ["Content-Type: text/csv"] }),
  ], ["application/json", "text/plain;charset=UTF-8", undefined, "text/csv"]);
  strictEqual((await only(HOST)).underLoad, "stable");
  strictEqual((await only(HOST, { header: ["accept-encoding: gzip"] })).underLoad, "any");
});

Deno.test("readUrls refuses what it cannot measure, or not without more ado", async () => {
  const cases: [string[], object, RegExp][] = [
    [["http://example.com/"], {}, /example\.com is not this machine.*--yes-i-may-load-this-host/],
    [["http://127.0.0.1.evil.example/"], {}, /is not this machine/],
    [["ftp://127.0.0.1/"], {}, /only http: and https: URLs are supported/],
    [["http://me:secret@127.0.0.1/"], {}, /Cannot measure a URL with a password/],
    [["http://:0:/"], {}, /Cannot read the URL/],
    [
      [HOST],
      { header: ["no colon"] },
      /Cannot read the header "no …": write it as 'name: value'/,
    ],
    [
      [HOST],
      { header: ["x: ☃"] },
      /Cannot send the header "x": it contains characters that HTTP does not/,
    ],
    [[HOST], { header: ["x: a\r\ny: b"] }, /Cannot (read|send) the header/],
    [[HOST], { header: ["(x): a"] }, /Cannot send the header "\(x\)"/],
    [[HOST], { data: "x", request: "GET" }, /Cannot send --data with GET/],
    [[HOST], { data: "@/no/such/file" }, /Cannot read the body/],
    [[HOST, "http://127.0.0.1:4000"], { pid: 1 }, /one --pid for several servers/],
  ];
  for (const [urls, options, message] of cases) {
    await rejects(readUrls(urls, options, []), { name: "UsageError", message });
  }
  const { servers } = await readUrls(["http://example.com/"], { yesIMayLoadThisHost: true }, []);
  strictEqual(servers[0]?.id, "example.com");
});

Deno.test("readUrls measures given scenarios at hosts, but none that needs the database", async () => {
  const mine = { ...await only(HOST), id: "mine" };
  const { servers, scenarios } = await readUrls([HOST], {}, [mine]);
  deepStrictEqual([scenarios, Object.keys(servers[0]?.scenarios ?? {})], [[mine], ["mine"]]);
  await rejects(readUrls([HOST], {}, [{ ...mine, queries: 1 }]), /needs Stampede's database/);
  for (const [url, options] of [[`${HOST}/x`, {}], [HOST, { request: "PUT" }]] as const) {
    await rejects(readUrls([url], options, [mine]), /give only its host/);
  }
});

Deno.test("a scenario of a URL is not called by what its query says, which may be a secret", async () => {
  const urls = [
    `${HOST}/a?key=s3cret`,
    `${HOST}/a?key=0ther`,
    `${HOST}/a?key=s3cret`,
    `${HOST}/a?bare`,
  ];
  const { servers, scenarios } = await readUrls(urls, {}, []);
  deepStrictEqual(scenarios.map(({ id }) => id), ["/a?key=***", "/a?key=*** (2)", "/a?***"]);
  deepStrictEqual(scenarios.map(({ request }) => request.path), [
    "/a?key=s3cret",
    "/a?key=0ther",
    "/a?bare",
  ]);
  deepStrictEqual(Object.keys(servers[0]?.scenarios ?? {}), scenarios.map(({ id }) => id));
});
