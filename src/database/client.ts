/** The address of a PostgreSQL database, and connections to it. */
import pg from "pg";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import { pause } from "../process/pause.ts";

/** The address of a PostgreSQL database. */
export interface DatabaseAddress {
  /** URL with the password. Its search path is Stampede's schema. */
  readonly url: string;
  /** URL without the password, for messages. */
  readonly label: string;
  /** Host and port, such as `127.0.0.1:5432`. An IPv6 address is in brackets. */
  readonly hostPort: string;
  /** Whether the host is this machine. */
  readonly loopback: boolean;
}

/** Name of the schema with Stampede's tables. */
export const SCHEMA = "stampede";

/**
 * Returns the address of the database in `DATABASE_URL`, or in libpq's variables; null without any.
 *
 * https://www.postgresql.org/docs/18/libpq-envars.html
 *
 * @throws {UsageError} with the name of a malformed variable.
 */
export function addressFromEnvironment(
  env: (name: string) => string | undefined,
): DatabaseAddress | null {
  const fallbackUser = env("USER") || "postgres";
  const text = env("DATABASE_URL");
  if (text) return address(parse(text, fallbackUser));
  const ofLibpq = ["PGHOST", "PGPORT", "PGUSER", "PGPASSWORD", "PGDATABASE"];
  if (!ofLibpq.some((name) => env(name))) return null;
  const port = env("PGPORT") || "5432";
  if (!/^\d+$/.test(port) || Number(port) < 1 || Number(port) > 65535) {
    throw new UsageError(`Cannot read PGPORT: "${port}" is not a port from 1 to 65535`);
  }
  const host = env("PGHOST") || "127.0.0.1";
  const hostPart = host.includes(":") ? `[${host}]` : host;
  const user = env("PGUSER") || fallbackUser;
  // `pg` decodes the name with `decodeURI`; `?` and `#` would end the path.
  const database = encodeURI(env("PGDATABASE") || user).replace(/[?#]/g, encodeURIComponent);
  const password = encodeURIComponent(env("PGPASSWORD") ?? "");
  const url = `postgres://${encodeURIComponent(user)}:${password}@${hostPart}:${port}/${database}`;
  if (/[/,?#@]/.test(host) || !URL.canParse(url)) {
    throw new UsageError(
      `Cannot use PGHOST "${host}": Stampede connects over TCP to one host, such as 127.0.0.1`,
    );
  }
  return address(new URL(url));
}

/** URL parameters with which `pg` would override parts of the URL. */
const OVERRIDES = ["host", "hostaddr", "port", "user", "password", "dbname", "database"];

function parse(text: string, fallbackUser: string): URL {
  const url = URL.parse(text);
  if (!/^postgres(ql)?:\/\//.test(text) || !url?.hostname || !isDecodable(url)) {
    throw new UsageError(
      "Cannot read DATABASE_URL: it is not of the form postgres://user:password@host:port/database",
    );
  }
  const override = OVERRIDES.find((name) => url.searchParams.has(name));
  if (override !== undefined) {
    throw new UsageError(
      `Cannot use DATABASE_URL with the parameter "${override}": put it before the question mark`,
    );
  }
  if (url.username === "") url.username = encodeURIComponent(fallbackUser);
  return url;
}

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    [username, password, pathname].forEach(decodeURIComponent);
    return true;
  } catch {
    return false;
  }
}

/** Returns the address of the database at a URL. */
export function address(url: URL): DatabaseAddress {
  const withPath = new URL(url);
  const options = url.searchParams.get("options") ?? "";
  withPath.searchParams.set("options", `${options} -c search_path=${SCHEMA}`.trim());
  // libpq's URLs support %20 but not "+".
  withPath.search = withPath.search.replaceAll("+", "%20");
  const port = url.port || "5432";
  const user = decodeURIComponent(url.username);
  return {
    url: withPath.href,
    label: `postgres://${user}@${url.hostname}:${port}${decodeURIComponent(url.pathname)}`,
    hostPort: `${url.hostname}:${port}`,
    loopback: /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname),
  };
}

/** A connection to the database. Disposing it succeeds even if the server has closed it. */
export interface DatabaseClient extends AsyncDisposable {
  /** Runs SQL and returns its rows. If the connection has ended, it opens a new one. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Time limit for opening a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5000;
/** Maximum wait for a server that starts or, after a crash of a process, restarts; in ms. */
const RECOVERY_MS = 10_000;
/** Pause between two attempts to connect, in milliseconds. */
const RETRY_MS = 50;

/**
 * Connects to a database, and waits while the server is starting.
 *
 * @throws {Failure} if the server cannot be reached or rejects the login.
 */
export async function connect({ url, label }: DatabaseAddress): Promise<DatabaseClient> {
  let connection: pg.Client | null = null;
  let timeoutMs = RECOVERY_MS; // used once per restart
  const open = async (isReopening: boolean): Promise<pg.Client> => {
    const untilMs = performance.now() + timeoutMs;
    timeoutMs = 0;
    for (;;) {
      const options = { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
      const client = new pg.Client(options);
      client.on("error", () => {}); // the next query reports the error
      try {
        await client.connect();
        timeoutMs = RECOVERY_MS;
        // A failed client accepts no more queries, even before it has ended
        for (const event of ["error", "end"] as const) {
          client.on(event, () => {
            if (connection === client) connection = null;
            if (event === "error") client.end().catch(() => {});
          });
        }
        return connection = client;
      } catch (cause) {
        if (!isTemporary(cause, isReopening) || performance.now() > untilMs) {
          const message = `Cannot connect to the database ${label}: ${messageOf(cause)}`;
          throw new Failure(message, null, { cause });
        }
        await pause(RETRY_MS);
      }
    }
  };
  await open(false);
  return {
    query: async (sql, values) => {
      const client = connection ?? await open(true);
      return (await client.query(sql, values && [...values])).rows;
    },
    [Symbol.asyncDispose]: async () => await connection?.end().catch(() => {}),
  };
}

/** Returns whether a server is starting or, if it had a connection before, restarting. */
function isTemporary(error: unknown, isReopening: boolean): boolean {
  const { code = "" } = error as { readonly code?: string };
  // cannot_connect_now: https://www.postgresql.org/docs/18/errcodes-appendix.html
  if (code === "57P03") return true;
  return isReopening && (["ECONNRESET", "ECONNREFUSED"].includes(code) ||
    /terminated unexpectedly/.test(messageOf(error)));
}
