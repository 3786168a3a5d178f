import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { address, connect, type DatabaseClient } from "../src/database/client.ts";
import { Sandbox } from "./bench.ts";
import { createDatabase } from "./cluster.ts";

/** A database that Stampede treats as the user's. */
interface Foreign {
  readonly env: Record<string, string>;
  readonly client: DatabaseClient;
  readonly sandbox: Sandbox;
  readonly name: string;
}

async function withForeign(test: (foreign: Foreign) => Promise<void>): Promise<void> {
  await using database = await createDatabase("empty");
  const url = new URL(database.url);
  await using client = await connect(address(url));
  await using sandbox = await Sandbox.create();
  const name = url.pathname.slice(1);
  // Its name differs from the schema's, which PostgreSQL would otherwise find automatically
  const role = `owner_of_${name}`;
  await client.query(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'a+b c'`);
  url.username = role;
  url.password = "a+b c";
  try {
    await test({ env: { DATABASE_URL: url.href }, client, sandbox, name });
  } finally {
    await client.query(`DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
  }
}

async function relations(client: DatabaseClient): Promise<string[]> {
  const rows = await client.query<{ name: string }>(
    "SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname !~ '^(pg_|information_schema)' ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

Deno.test("a database of the person's own gets one schema, which can be removed", async () => {
  await withForeign(async ({ env, client, sandbox, name }) => {
    await client.query("CREATE TABLE public.users (mine text)");
    const run = await sandbox.run(["verify", "sql1", "sql2", "books"], env);
    strictEqual(run.code, 0, run.stdout + run.stderr);
    match(
      run.stdout,
      new RegExp(
        `^Using PostgreSQL 18\\S* at postgres://owner_of_${name}@127\\.0\\.0\\.1:\\d+/${name}\n`,
      ),
    );
    strictEqual(run.stdout.includes("a+b"), false);
    const ours = ["books", "cached_world", "fortune", "users", "world"].map((table) =>
      `stampede.${table}`
    );
    deepStrictEqual(await relations(client), ["public.users", ...ours]);
    const [count] = await client.query<{ users: number; books: number }>(
      "SELECT (SELECT count(*)::int FROM stampede.users) AS users, (SELECT count(*)::int FROM stampede.books) AS books",
    );
    deepStrictEqual({ ...count }, { users: 200_000, books: 10 });
    strictEqual((await sandbox.run(["verify", "books"], env)).code, 0); // the schema already exists

    const clean = await sandbox.run(["clean-database"], env);
    match(clean.stdout, /^Removed the schema "stampede" from postgres:\/\/owner_of_\w+@127/);
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
  await withForeign(async ({ env, sandbox, name }) => {
    const { port, username, password } = new URL(env.DATABASE_URL ?? "");
    const parts = {
      PGHOST: "localhost",
      PGPORT: port,
      PGUSER: username,
      PGPASSWORD: decodeURIComponent(password),
      PGDATABASE: name,
    };
    const good = await sandbox.run(["verify", "sql1"], parts);
    match(good.stdout, /^Using PostgreSQL 18\S* at postgres:\/\/owner_of_\w+@localhost:/);
    strictEqual(good.code, 0, good.stdout + good.stderr);
    const bad = await sandbox.run(["verify", "sql1"], { ...parts, PGPASSWORD: "wrong" });
    deepStrictEqual([bad.code, bad.stderr.trim().split("\n").length], [1, 1]);
    match(
      bad.stderr,
      /^Cannot connect to the database postgres:\/\/owner_of_\w+@localhost.*password/,
    );
    deepStrictEqual(await sandbox.leftovers(), []);
  });
});

Deno.test("a database that is out of connections is an error in one line", async () => {
  await withForeign(async ({ env, client, sandbox, name }) => {
    await client.query(`ALTER ROLE owner_of_${name} NOSUPERUSER CONNECTION LIMIT 0`);
    const { code, stderr } = await sandbox.run(["sql1", "--quick"], env);
    await client.query(`ALTER ROLE owner_of_${name} SUPERUSER`); // then it can be dropped
    strictEqual(code, 1);
    match(stderr, /^Cannot connect to the database postgres:.*: too many connections for role/m);
    deepStrictEqual(await sandbox.leftovers(), []);
  });
});

Deno.test({
  name: "a temporary folder that PostgreSQL's account cannot enter is named",
  ignore: Deno.build.os === "windows" || Deno.uid() !== 0, // otherwise no separate account exists
  async fn(): Promise<void> {
    await using sandbox = await Sandbox.create();
    const folder = `${sandbox.folder}/private`;
    await Deno.mkdir(`${folder}/tmp`, { recursive: true });
    await Deno.chmod(folder, 0o700);
    const { code, stderr } = await sandbox.run(["sql1", "--quick"], { TMPDIR: `${folder}/tmp` });
    strictEqual(code, 1);
    match(
      stderr,
      /^Cannot run PostgreSQL from .*private.* as nobody .*: .*; set TMPDIR to another folder, or DATABASE_URL/m,
    );
    deepStrictEqual(await Array.fromAsync(Deno.readDir(`${folder}/tmp`)), []);
  },
});
