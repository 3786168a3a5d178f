import { ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { addressFromEnvironment } from "../../src/database/client.ts";
import { UsageError } from "../../src/model/errors.ts";
import { accepted, holds } from "./inputs.ts";

/** A PostgreSQL name or password: any character except NUL. */
const NAME = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !text.includes("\0"));

holds(
  "libpq's variables are read as they are set, and no label has the password",
  fc.record({
    user: NAME,
    password: NAME,
    database: NAME,
    port: fc.integer({ min: 1, max: 65535 }),
  }),
  ({ user, password, database, port }) => {
    const secret = `s3cr3t${password}`;
    const variables: Readonly<Record<string, string>> = {
      PGHOST: "127.0.0.1",
      PGPORT: String(port),
      PGUSER: user,
      PGPASSWORD: secret,
      PGDATABASE: database,
    };
    const address = addressFromEnvironment((name) => variables[name]);
    ok(address);
    const url = new URL(address.url);
    strictEqual(decodeURIComponent(url.username), user);
    strictEqual(decodeURIComponent(url.password), secret);
    strictEqual(address.hostPort, `127.0.0.1:${port}`);
    strictEqual(address.loopback, true);
    ok(!address.label.includes(secret), address.label);
  },
);

holds(
  "DATABASE_URL is a server's address, or refused without its words",
  fc.record({
    scheme: fc.constantFrom("", "postgres://", "postgresql://", "http://", "postgres:"),
    rest: fc.oneof(
      fc.string(),
      fc.webUrl({ withQueryParameters: true }).map((url) => url.slice(8)),
    ),
  }),
  async ({ scheme, rest }) => {
    const text = `${scheme}u:s3cr3tpassword@${rest}`;
    const read = (): unknown => {
      try {
        return addressFromEnvironment((name) => name === "DATABASE_URL" ? text : undefined);
      } catch (error) {
        ok(!String(error).includes("s3cr3tpassword"), "the refusal has the password");
        throw error;
      }
    };
    const address = await accepted(read, UsageError) as { label: string } | undefined;
    ok(!address?.label.includes("s3cr3tpassword"), "the label has the password");
  },
);

holds(
  "of libpq's variables each is taken, or refused",
  fc.record({ PGHOST: fc.string(), PGPORT: fc.string(), PGUSER: fc.string() }),
  async (variables: Readonly<Record<string, string>>) => {
    const address = await accepted(
      () => addressFromEnvironment((name) => variables[name]),
      UsageError,
    );
    ok(!address || URL.canParse(address.url));
  },
);
