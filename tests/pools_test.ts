import { ok, strictEqual } from "node:assert/strict";
import { until } from "./bench.ts";
import { withServer } from "./stage.ts";

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}

Deno.test("a database that goes away is 503 at once, and found again when it is back", async () => {
  await withServer(async ({ server: { origin }, database }) => {
    const pid = database.process?.pid ?? 0;
    strictEqual(await statusOf(`${origin}/sql1`), 200);
    // A child that is killed makes PostgreSQL cut every connection and start over.
    const children = await Deno.readTextFile(`/proc/${pid}/task/${pid}/children`);
    Deno.kill(Number(children.split(" ")[0]), "SIGKILL");
    const start = performance.now();
    const statuses = await Promise.all([1, 2, 3].map(() => statusOf(`${origin}/sql1`)));
    ok(statuses.every((status) => status === 503 || status === 200), statuses.join());
    // Sooner than a query is given up
    ok(performance.now() - start < 10_000);
    strictEqual(await statusOf(`${origin}/json`), 200);
    const deadline = performance.now() + 60_000;
    while (await statusOf(`${origin}/sql2`) !== 200) {
      ok(performance.now() < deadline, "the pool did not recover");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await database.process?.stop();
    const after = performance.now();
    strictEqual(await statusOf(`${origin}/books`), 503);
    // Sooner than a connection is given up
    ok(performance.now() - after < 2000, "503 did not come at once");
  }, { database: "embedded" });
});

Deno.test("a full queue is 503 with Retry-After, and clients that leave make room", async () => {
  await withServer(async ({ server: { origin } }) => {
    const slow = `${origin}/primes?limit=10000000`;
    const leave = new AbortController();
    // One in work, two waiting: of eight, five find no room
    const refused = Promise.withResolvers<Response>();
    const clients = Array.from({ length: 8 }, async () => {
      const response = await fetch(slow, { signal: leave.signal });
      await response.body?.cancel();
      if (response.status === 503) refused.resolve(response);
    });
    const left = Promise.allSettled(clients);
    const response = await Promise.race([refused.promise, left]);
    ok("headers" in response, "nobody was refused");
    strictEqual(response.headers.get("retry-after"), "1");
    leave.abort();
    await left;
    // The server hears of it a little later; that a waiter leaves at once is slots_test's to prove.
    await until(async () => await statusOf(slow) === 200, "the queue has room");
  }, { env: { CPU_WORKERS: "1", QUEUE_LIMIT: "2" } });
});

Deno.test("many requests share few connections to the database", async () => {
  await withServer(async ({ server: { origin }, client }) => {
    const ask = (): Promise<number[]> =>
      Promise.all(Array.from({ length: 200 }, () => statusOf(`${origin}/sql2`)));
    for (let i = 0; i < 3; i++) ok((await ask()).every((status) => status === 200));
    const [row] = await client.query<{ count: string }>(
      "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%OFFSET%' AND datname = current_database() AND pid <> pg_backend_pid()",
    );
    ok(Number(row?.count) >= 2 && Number(row?.count) <= 3, `${row?.count} connections`);
  }, { env: { DB_POOL: "3" } });
});

Deno.test("threads of deno serve share out connections and workers", async () => {
  const env = { WORKERS: "2", DB_POOL: "6", CPU_WORKERS: "2", QUEUE_LIMIT: "100" };
  await withServer(async ({ server, client }) => {
    // The kernel gives each new connection to one of the threads.
    const open = Array.from({ length: 60 }, async () => {
      for (let i = 0; i < 5; i++) {
        using fresh = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
        const response = await fetch(`${server.origin}/sql2`, { client: fresh });
        strictEqual((await response.json()).length, 10);
      }
    });
    await Promise.all(open);
    const [row] = await client.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid()",
    );
    const { n } = row as { n: number };
    ok(n > 3 && n <= 6, `${n} connections`);
  }, { env, id: "deno-workers" });
});

Deno.test("a query that PostgreSQL never answers is 503, and the next one finds another connection", async () => {
  await withServer(async ({ server: { origin }, client }) => {
    strictEqual(await statusOf(`${origin}/sql1`), 200);
    const rows = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE query = 'SELECT now() AS ts'",
    );
    const pids = rows.map(({ pid }) => pid);
    ok(pids.length > 0);
    for (const pid of pids) Deno.kill(pid, "SIGSTOP");
    try {
      // Two queries share a connection: the second one fails together with the one that hangs
      const statuses = await Promise.all([1, 2].map(() => statusOf(`${origin}/sql1`)));
      strictEqual(statuses.join(), "503,503");
      strictEqual(await statusOf(`${origin}/sql1`), 200);
    } finally {
      for (const pid of pids) Deno.kill(pid, "SIGCONT");
    }
  }, { database: "embedded", env: { DB_POOL: "1" } });
});
