import { UsageError } from "../model/errors.ts";

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

/** Environment variables of libpq that name a database. */
const LIBPQ = ["PGHOST", "PGPORT", "PGUSER", "PGPASSWORD", "PGDATABASE"];

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
  if (!LIBPQ.some((name) => env(name))) return null;
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
