import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { freePort } from "../src/process/connect.ts";
import { Sandbox, until } from "./bench.ts";

Deno.test("stampede serve says which database it has, serves, and stops cleanly", async () => {
  for (
    const [signal, database] of [["SIGINT", "embedded"], ["SIGTERM", "shared"]] as const
  ) {
    await using sandbox = await Sandbox.create(database);
    const port = String(freePort());
    const running = sandbox.start(["serve"], { env: { PORT: port } });
    await until(() => running.written().includes("Serving"), "it is ready");
    const origin = `http://127.0.0.1:${port}`;
    match(await (await fetch(`${origin}/sql1`)).text(), /^{"ts":"/);
    match(await (await fetch(`${origin}/primes?limit=10`)).text(), /^{"numbers":\[2,3,5,7\]/);
    Deno.kill(running.process.pid, signal);
    const { code, stdout, stderr } = await running.outcome;
    deepStrictEqual([code, stderr], [0, ""]);
    match(
      stdout,
      database === "embedded"
        ? new RegExp(
          `^Serving ${origin}/ with (PostgreSQL 18\\S* at postgres://\\S+ \\(embedded\\))\n$`,
        )
        : new RegExp(`^Using (PostgreSQL 18.*)\nServing ${origin}/ with \\1\n$`),
    );
    deepStrictEqual(await sandbox.leftovers(), []);
  }
});

Deno.test("stampede serve gives requests under way ten seconds, takes no others, and says what it waits for", async () => {
  await using sandbox = await Sandbox.create("shared");
  const port = freePort();
  const running = sandbox.start(["serve", "--port", String(port)]);
  await until(() => running.written().includes("Serving"), "it is ready");
  const slow = fetch(`http://127.0.0.1:${port}/delay?every=1&ms=4000`);
  const tooSlow = fetch(`http://127.0.0.1:${port}/delay?every=1&ms=30000`)
    .then(() => "answered", () => "cut off");
  await new Promise((resolve) => setTimeout(resolve, 300));
  Deno.kill(running.process.pid, "SIGTERM");
  await until(() => running.written().includes("in flight"), "it waits");
  strictEqual(
    await Deno.connect({ hostname: "127.0.0.1", port }).then(() => true, () => false),
    false,
  );
  strictEqual((await (await slow).text()).length > 0, true);
  strictEqual(await tooSlow, "cut off");
  const { code, stderr } = await running.outcome;
  deepStrictEqual([code, stderr], [0, "Waiting up to ten seconds for requests in flight\n"]);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("stampede serve says when its port is taken, and ends with its server", async () => {
  await using sandbox = await Sandbox.create("shared");
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const taken = await sandbox.run(["serve", "--port", String(listener.addr.port)]);
  strictEqual(taken.code, 1);
  match(
    taken.stderr,
    /^Cannot listen on 127.0.0.1:\d+: another program already listens there; stop it, or choose another --port\n$/,
  );

  const running = sandbox.start(["serve", "--port", String(freePort())]);
  await until(() => running.written().includes("Serving"), "it is ready");
  const [server] = await sandbox.processes("src/server/main.ts");
  ok(server);
  Deno.kill(server.pid, "SIGKILL");
  const { code, stderr } = await running.outcome;
  strictEqual(code, 1);
  match(stderr, /^The server was killed by SIGKILL/);
  deepStrictEqual(await sandbox.leftovers(), []);
});

Deno.test("deno serve --parallel runs the same server", async () => {
  const port = freePort();
  const server = new Deno.Command(Deno.execPath(), {
    args: ["serve", "--quiet", "--parallel", "-A", "src/server/parallel.ts"],
    cwd: new URL("..", import.meta.url),
    env: { DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`, DENO_JOBS: "2" },
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`);
    await until(() => get("/").then((r) => r.text()).then(() => true, () => false), "it listens");
    strictEqual(await (await get("/primes?limit=5")).text(), '{"numbers":[2,3,5],"from":"deno"}');
    const bad = await get("/primes?limit=x");
    deepStrictEqual([bad.status, (await bad.json()).status], [400, 400]);
  } finally {
    server.kill("SIGKILL");
    await server.status;
  }
});
