import {
  deepStrictEqual,
  match,
  notStrictEqual,
  ok,
  rejects,
  strictEqual,
} from "node:assert/strict";
import { freePort } from "../process/connect.ts";
import { ProcessScope } from "../process/scope.ts";
import { address, connect } from "./client.ts";
import { startEmbedded, whyNoCluster } from "./provide.ts";

/** Returns the cluster's URL with another password; empty: none. */
function withPassword(
  { address: { url } }: Awaited<ReturnType<typeof startEmbedded>>,
  password: string,
): URL {
  const other = new URL(url);
  other.password = password;
  return other;
}

Deno.test("the embedded database trusts nobody, and listens on the loopback interface alone", async () => {
  await using scope = new ProcessScope();
  const [one, two] = await Promise.all([
    startEmbedded(scope, { connections: 10 }),
    startEmbedded(scope, { connections: 10 }),
  ]);
  const passwords = [one, two].map(({ address: { url } }) => new URL(url).password);
  notStrictEqual(passwords[0], passwords[1]);
  for (const password of passwords) ok(password.length >= 32, password);

  await using client = await connect(one.address);
  const rules = await client.query<{ type: string; method: string }>(
    "SELECT DISTINCT type, auth_method AS method FROM pg_hba_file_rules WHERE type <> 'local' OR auth_method <> 'scram-sha-256'",
  );
  deepStrictEqual(rules.map((rule) => ({ ...rule })), [{ type: "host", method: "scram-sha-256" }]);
  const [settings] = await client.query<{ addresses: string; sockets: string }>(
    "SELECT current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets",
  );
  deepStrictEqual({ ...settings }, { addresses: "127.0.0.1", sockets: "" });

  const env = Deno.env.get("PGPASSWORD");
  Deno.env.delete("PGPASSWORD"); // a client without a password would use it
  try {
    for (const wrong of ["", "stampede", "postgres", passwords[1] ?? ""]) {
      const refused = async (): Promise<void> => {
        await using _ = await connect(address(withPassword(one, wrong)));
      };
      await rejects(refused, /password/);
    }
  } finally {
    if (env !== undefined) Deno.env.set("PGPASSWORD", env);
  }
});

Deno.test("a port that another program has taken meanwhile is changed for another one", async () => {
  await using scope = new ProcessScope();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const ports = [taken.addr.port, freePort()];
  const [, free] = ports;
  const cluster = await startEmbedded(scope, { connections: 10 }, () => ports.shift() ?? 0);
  strictEqual(new URL(cluster.address.url).port, String(free));
  await using client = await connect(cluster.address);
  strictEqual((await client.query("SELECT 1")).length, 1);
});

Deno.test("PostgreSQL that finds no free port says so in its own words", async () => {
  await using scope = new ProcessScope();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const start = startEmbedded(scope, { connections: 10 }, () => taken.addr.port);
  await rejects(start, ({ message }: Error) => {
    match(
      message,
      /^PostgreSQL ended with exit code 1 while it started:\n(.|\n)*Address already in use/,
    );
    return true;
  });
});

Deno.test("the start of PostgreSQL ends early if it is aborted", async () => {
  await using scope = new ProcessScope();
  const reason = new Error("Interrupted by SIGINT");
  for (const ms of [0, 100]) {
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), ms);
    const start = startEmbedded(scope, { connections: 10, abort: abort.signal });
    await rejects(start, (error) => error === reason);
  }
});

Deno.test("a failure of initdb has a remedy", () => {
  const howItEnded = "ended with exit code 1";
  const lastWords =
    ":\ninitdb: error: could not look up effective user ID 1234: user does not exist";
  strictEqual(
    whyNoCluster({ howItEnded, lastWords }),
    `PostgreSQL's initdb ended with exit code 1 (add a line for this user to /etc/passwd, or set DATABASE_URL to an existing server)${lastWords}`,
  );
  match(whyNoCluster({ howItEnded, lastWords: "" }), /\(remove the cause, or set DATABASE_URL to/);
});
