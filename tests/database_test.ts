import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { connect, type DatabaseClient } from "../src/database/client.ts";
import { startEmbedded } from "../src/database/embedded.ts";
import { BOOKS, USERS } from "../src/database/tables.ts";
import { ProcessScope } from "../src/process/scope.ts";
import { Sandbox } from "./bench.ts";

/** A PostgreSQL server that is the person's own, as far as Stampede knows. */
async function withForeign(
  test: (
    foreign: { env: Record<string, string>; client: DatabaseClient; sandbox: Sandbox },
  ) => Promise<void>,
): Promise<void> {
  await using scope = new ProcessScope();
  const { address } = await startEmbedded(scope, 50, null);
  await using client = await connect(address);
  await using sandbox = await Sandbox.create();
  // Not called like the schema, which PostgreSQL would then find by itself.
  await client.query("CREATE ROLE owner LOGIN SUPERUSER PASSWORD 'a+b c'");
  const url = new URL(address.url);
  url.search = "";
  url.username = "owner";
  url.password = "a+b c";
  await test({ env: { DATABASE_URL: url.href }, client, sandbox });
}

async function relations(client: DatabaseClient): Promise<string[]> {
  const rows = await client.query<{ name: string }>(
    "SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname !~ '^(pg_|information_schema)' ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

Deno.test("a database of the person's own gets one schema, which can be removed", async () => {
  await withForeign(async ({ env, client, sandbox }) => {
    await client.query("CREATE TABLE public.users (mine text)");
    const run = await sandbox.run(["verify", "sql1", "sql2", "books"], env);
    strictEqual(run.code, 0);
    match(
      run.stdout,
      /^Using PostgreSQL 18\S* at postgres:\/\/owner@127\.0\.0\.1:\d+\/postgres\n/,
    );
    strictEqual(run.stdout.includes("a+b"), false);
    const ours = ["stampede.books", "stampede.users"];
    deepStrictEqual(await relations(client), ["public.users", ...ours]);
    const [count] = await client.query<{ users: number; books: number }>(
      "SELECT (SELECT count(*)::int FROM stampede.users) AS users, (SELECT count(*)::int FROM stampede.books) AS books",
    );
    deepStrictEqual({ ...count }, { users: USERS, books: BOOKS });
    strictEqual((await sandbox.run(["verify", "books"], env)).code, 0); // the schema is there already

    const clean = await sandbox.run(["clean-database"], env);
    match(clean.stdout, /^Removed the schema "stampede" from postgres:\/\/owner@127/);
    deepStrictEqual(await relations(client), ["public.users"]);
    match((await sandbox.run(["clean-database"], env)).stdout, /^There is no schema "stampede"/);
  });
});

Deno.test("a schema that Stampede did not make is left alone", async () => {
  await withForeign(async ({ env, client, sandbox }) => {
    await client.query("CREATE SCHEMA stampede; CREATE TABLE stampede.users (mine text)");
    for (const args of [["verify", "sql1"], ["clean-database"]]) {
      const { code, stderr } = await sandbox.run(args, env);
      strictEqual(code, 1);
      match(stderr, /has a schema "stampede" that Stampede did not make/);
    }
    deepStrictEqual(await relations(client), ["stampede.users"]);
  });
});

Deno.test("libpq's variables name a database too; one that is away is an error in one line", async () => {
  await withForeign(async ({ env, sandbox }) => {
    const { port, username, password } = new URL(env.DATABASE_URL ?? "");
    const parts = {
      PGHOST: "localhost",
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: "postgres",
    };
    const good = await sandbox.run(["verify", "sql1"], parts);
    match(good.stdout, /^Using PostgreSQL 18\S* at postgres:\/\/owner@localhost:/);
    strictEqual(good.code, 0);
    const bad = await sandbox.run(["verify", "sql1"], { ...parts, PGPASSWORD: "wrong" });
    deepStrictEqual([bad.code, bad.stderr.trim().split("\n").length], [1, 1]);
    match(bad.stderr, /^Cannot connect to the database postgres:\/\/owner@localhost.*password/);
    deepStrictEqual(await sandbox.leftovers(), []);
  });
});
