import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Report } from "../src/model/report.ts";
import { Sandbox } from "./bench.ts";

const CANNED = new URL("./servers/canned/server.json", import.meta.url).pathname;
const QUICK = ["--rounds", "1", "-z", "0.5", "--warmup", "0.2", "--no-slices"];

/** Runs a test with a server that records its requests. */
async function withServer(
  respond: (request: Request) => Response | Promise<Response>,
  test: (origin: string) => Promise<void>,
): Promise<void> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, respond);
  await test(`http://127.0.0.1:${server.addr.port}`);
}

Deno.test("stampede measures whatever runs at a URL, as it is asked to", async () => {
  await using sandbox = await Sandbox.create();
  await Deno.writeTextFile(`${sandbox.folder}/body.json`, '{"a":1}');
  const asked = new Set<string>();
  await withServer(async (request) => {
    const { method, url, headers } = request;
    asked.add(`${method} ${new URL(url).pathname} ${headers.get("k")} ${await request.text()}`);
    return new Response("created", { status: 201 });
  }, async (origin) => {
    const args = [`${origin}/orders`, "-X", "PUT", "-H", "k: v", "-d", "@body.json"];
    // This process cannot be the server, because it is Stampede's parent.
    const other = new Deno.Command("sleep", { args: ["60"] }).spawn();
    const { code, stdout, stderr } = await sandbox.run([...args, "--pid", `${other.pid}`, ...QUICK])
      .finally(() => other.kill());
    strictEqual(code, 0, stderr);
    match(stdout, /^PUT \/orders +(≥ )?[\d,.]+ .* µs/m);
    const own = await sandbox.run([...args, "--pid", `${Deno.pid}`, ...QUICK]);
    match(
      own.stdout,
      /failed: Process \d+ started Stampede: --pid must be the server's process/,
    );
  });
  deepStrictEqual([...asked], ['PUT /orders v {"a":1}']);
  const reports = await sandbox.reports() as unknown as Report[];
  const report = reports.find(({ results }) => results[0]?.status === "ok");
  strictEqual(report?.servers[0]?.startUpS, null);
  ok((report?.servers[0]?.idleRssBytes ?? 0) > 0);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede at a URL finds wrong bodies and bad statuses, and lets changing bodies be", async () => {
  await using sandbox = await Sandbox.create();
  let count = 0;
  // More than the requests before the load, and fewer than any machine answers in a window
  let [sometimes, seldom] = [0, 0];
  await withServer(({ url }) => {
    switch (new URL(url).pathname) {
      case "/changing":
        return new Response(String(count++));
      case "/sometimes":
        return new Response("oh", { status: ++sometimes % 20 === 0 ? 500 : 200 });
      case "/seldom":
        return new Response(++seldom % 20 === 0 ? "another" : "the same");
      default:
        return new Response(null, { status: 302, headers: { location: "/elsewhere" } });
    }
  }, async (origin) => {
    const paths = ["/changing", "/sometimes", "/seldom", "/moved"].map((path) => origin + path);
    const { code, stdout } = await sandbox.run([...paths, ...QUICK]);
    strictEqual(code, 1);
    match(stdout, /^\/changing +(≥ )?[\d,.]+ /m);
    match(stdout, /^\/sometimes +invalid: .*/m);
    // The load generator or the probe meets them first
    match(
      stdout,
      /^\/seldom +invalid: (the probe received )?\d+ wrong responses under load.* another/m,
    );
    match(stdout, /^\/moved +invalid: .*expected a 2xx status, got 302 to \/elsewhere/m);
  });
  const [report] = await sandbox.reports() as unknown as Report[];
  const changing = report?.results.find(({ scenario }) => scenario === "/changing");
  deepStrictEqual([changing?.status, changing?.checkedBodies], ["ok", 0]);
  ok(changing?.bottleneck?.kind !== "server", "nobody knows the server's process");
});

Deno.test("stampede says in a line that nobody listens, or that there is no such process", async () => {
  await using sandbox = await Sandbox.create();
  const nobody = await sandbox.run(["http://127.0.0.1:9/", ...QUICK]);
  strictEqual(nobody.code, 1);
  match(
    nobody.stdout,
    /^\/ +failed: Nothing listens at http:\/\/127\.0\.0\.1:9 .*start the server first$/m,
  );
  await withServer(() => new Response("hi"), async (origin) => {
    const { stdout } = await sandbox.run([origin, "--pid", "2147483646", ...QUICK]);
    match(stdout, /failed: Process 2147483646 does not exist: --pid must be the server's process/);
  });
});

Deno.test("stampede measures a scenario of the person's own, at a URL and at a manifest's server", async () => {
  await using sandbox = await Sandbox.create();
  await Deno.writeTextFile(
    `${sandbox.folder}/mine.ts`,
    `
    import { defineScenario, expectText, get } from "stampede/scenario";
    export default defineScenario({
      id: "text-of-mine",
      request: get("/"),
      expect: (answer) => expectText(answer, "Hello world"),
    });
  `,
  );
  const args = ["--scenario", "mine.ts", ...QUICK];
  await withServer(() => new Response("Hello world"), async (origin) => {
    match((await sandbox.run([origin, ...args])).stdout, /^text-of-mine +[≥\d]/m);
  });
  await withServer(() => new Response("Hello moon"), async (origin) => {
    const { stdout } = await sandbox.run([origin, ...args]);
    match(stdout, /^text-of-mine +invalid: .*expected Hello world, got Hello moon$/m);
  });
  const folder = `${sandbox.folder}/canned`;
  await Deno.mkdir(folder);
  const manifest = JSON.parse(await Deno.readTextFile(CANNED));
  manifest.scenarios = { "text-of-mine": {} };
  await Deno.writeTextFile(`${folder}/server.json`, JSON.stringify(manifest));
  await Deno.copyFile(CANNED.replace("server.json", "main.ts"), `${folder}/main.ts`);
  const { code, stdout } = await sandbox.run(["--server", "canned/server.json", ...args]);
  strictEqual(code, 0, stdout);
  match(stdout, /^text-of-mine +[≥\d]/m);
  const none = await sandbox.run(["--servers", "deno-bare", ...args]);
  deepStrictEqual([none.code, none.stderr], [2, "No server implements any of the scenarios\n"]);
});

Deno.test("bench -c sweeps numbers of connections, each with its own figures", async () => {
  await using sandbox = await Sandbox.create();
  const args = ["text", "--server", CANNED, "--servers", "deno-bare", "-c", "8,1"];
  const { code, stdout } = await sandbox.run([...args, ...QUICK]);
  strictEqual(code, 0);
  match(stdout, /^Rank +Server +Req\/Sec/m);
  match(stdout, /^text at 1 connection\n +– {2}.*\n +– {2}.*\ntext at 8 connections\n/m);
  match(stdout, /^ +– {2}deno-bare +(≥ )?[\d,]/m);
  const [report] = await sandbox.reports() as unknown as Report[];
  deepStrictEqual(report?.results.map(({ variant, connections }) => `${variant} ${connections}`), [
    "deno-bare 1",
    "canned 1",
    "deno-bare 8",
    "canned 8",
  ]);
  ok(report?.launches.every(({ startUpS }) => startUpS !== null && startUpS > 0));
});
