import { UsageError } from "../model/errors.ts";

/** A PostgreSQL server that servers and Stampede itself connect to. */
export interface DatabaseAddress {
  /** With its password, and with the search path set to Stampede's schema. */
  readonly url: string;
  /** Without its password, for people. */
  readonly label: string;
  /** `host:port`. */
  readonly hostPort: string;
  /** Whether its host is this machine. */
  readonly loopback: boolean;
}

/** The schema that holds Stampede's tables. */
export const SCHEMA = "stampede";

const LIBPQ = ["PGHOST", "PGPORT", "PGUSER", "PGPASSWORD", "PGDATABASE"];

/**
 * The database that the environment names by `DATABASE_URL` or by libpq's variables, or null if it
 * names none. https://www.postgresql.org/docs/18/libpq-envars.html
 *
 * @throws {UsageError} naming the variable that is malformed.
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
  const database = encodePath(env("PGDATABASE") || user);
  const password = encodeURIComponent(env("PGPASSWORD") ?? "");
  const url = `postgres://${encodeURIComponent(user)}:${password}@${hostPart}:${port}/${database}`;
  if (/[/,?#@]/.test(host) || !URL.canParse(url)) {
    throw new UsageError(
      `Cannot use PGHOST "${host}": Stampede connects over TCP to one host, such as 127.0.0.1`,
    );
  }
  return address(new URL(url));
}

/** As `pg` decodes it: only what `decodeURI` restores, and what would end the path. */
function encodePath(database: string): string {
  return encodeURI(database).replace(/[?#]/g, encodeURIComponent);
}

/** Parameters by which `pg` would connect elsewhere than the URL says. */
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

/** Describes the server at a URL. */
export function address(url: URL): DatabaseAddress {
  const withPath = new URL(url);
  const options = url.searchParams.get("options") ?? "";
  withPath.searchParams.set("options", `${options} -c search_path=${SCHEMA}`.trim());
  // libpq's URLs know %20 but not "+".
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
