import { strictEqual, throws } from "node:assert/strict";
import { addressFromEnvironment } from "./client.ts";

const read = (env: Record<string, string>): ReturnType<typeof addressFromEnvironment> =>
  addressFromEnvironment((name) => env[name]);

Deno.test("addressFromEnvironment reads DATABASE_URL and hides its password", () => {
  const address = read({
    DATABASE_URL: "postgres://me:s%40cret@db.example:6543/shop?sslmode=require",
  });
  strictEqual(address?.label, "postgres://me@db.example:6543/shop");
  strictEqual(address?.hostPort, "db.example:6543");
  strictEqual(address?.loopback, false);
  const url = new URL(address?.url ?? "");
  strictEqual(url.password, "s%40cret");
  strictEqual(url.searchParams.get("sslmode"), "require");
  strictEqual(url.searchParams.get("options"), "-c search_path=stampede");
});

Deno.test("addressFromEnvironment reads libpq's variables with libpq's defaults", () => {
  strictEqual(
    read({ PGUSER: "ann", PGPASSWORD: "a:b/c@d" })?.label,
    "postgres://ann@127.0.0.1:5432/ann",
  );
  const address = read({ PGHOST: "localhost", PGPORT: "5433", PGUSER: "a b", PGDATABASE: "d" });
  strictEqual(address?.label, "postgres://a b@localhost:5433/d");
  strictEqual(address?.loopback, true);
  strictEqual(read({ PGPASSWORD: "a:b/c@d" })?.url.includes("a%3Ab%2Fc%40d"), true);
});

Deno.test("addressFromEnvironment keeps what a name or a password holds", () => {
  const text = "postgres://u:a+b@127.0.0.1/x?application_name=a+b";
  const url = read({ DATABASE_URL: text })?.url ?? "";
  strictEqual(url.startsWith("postgres://u:a+b@127.0.0.1/x?application_name=a%20b&options="), true);
  strictEqual(
    read({ DATABASE_URL: "postgres://127.0.0.1/x", USER: "ann" })?.label,
    "postgres://ann@127.0.0.1:5432/x",
  );
  strictEqual(
    read({ PGHOST: "::1", PGUSER: "me@corp", PGDATABASE: "a b+c?d" })?.label,
    "postgres://me@corp@[::1]:5432/a b+c?d",
  );
});

Deno.test("addressFromEnvironment lets no parameter lead elsewhere", () => {
  for (const name of ["host", "hostaddr", "port", "user", "dbname"]) {
    const text = `postgres://127.0.0.1/x?${name}=10.1.1.1`;
    throws(() => read({ DATABASE_URL: text }), { name: "UsageError", message: /question mark/ });
  }
});

Deno.test("addressFromEnvironment is null if nothing is set", () => {
  strictEqual(read({}), null);
  strictEqual(read({ DATABASE_URL: "", PGHOST: "" }), null);
});

Deno.test("addressFromEnvironment knows what is on this machine", () => {
  const isLoopback = (host: string): boolean | undefined =>
    read({ DATABASE_URL: `postgres://${host}/x` })?.loopback;
  for (const host of ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"]) {
    strictEqual(isLoopback(host), true, host);
  }
  for (const host of ["10.0.0.1", "localhost.example", "127.0.0.1.example", "db"]) {
    strictEqual(isLoopback(host), false, host);
  }
});

Deno.test("addressFromEnvironment names the variable that is malformed", () => {
  throws(() => read({ DATABASE_URL: "mysql://x" }), /DATABASE_URL/);
  throws(() => read({ DATABASE_URL: "postgres:///x" }), /DATABASE_URL/);
  throws(() => read({ DATABASE_URL: "postgres://m%zz@127.0.0.1/x" }), /DATABASE_URL/);
  throws(() => read({ PGPORT: "x" }), /PGPORT/);
  throws(() => read({ PGHOST: "a host" }), /PGHOST/);
  throws(() => read({ PGHOST: "/var/run/postgresql" }), /PGHOST .*over TCP/);
});
