import { UsageError } from "../errors.ts";

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
  const text = env("DATABASE_URL");
  if (text) return address(parse(text));
  if (!LIBPQ.some((name) => env(name))) return null;
  const port = env("PGPORT") || "5432";
  if (!/^\d+$/.test(port) || Number(port) < 1 || Number(port) > 65535) {
    throw new UsageError(`Cannot read PGPORT: "${port}" is not a port from 1 to 65535`);
  }
  const host = env("PGHOST") || "127.0.0.1";
  if (host.includes("/") || host.includes(",")) {
    throw new UsageError(
      `Cannot use PGHOST "${host}": Stampede connects over TCP to one host, such as 127.0.0.1`,
    );
  }
  const user = env("PGUSER") || env("USER") || "postgres";
  const url = new URL("postgres://host");
  url.hostname = host;
  url.port = port;
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(env("PGPASSWORD") ?? "");
  url.pathname = `/${encodeURIComponent(env("PGDATABASE") || user)}`;
  return address(url);
}

function parse(text: string): URL {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text) || !new URL(text).hostname) {
    throw new UsageError(
      "Cannot read DATABASE_URL: it is not of the form postgres://user:password@host:port/database",
    );
  }
  return new URL(text);
}

/** Describes the server at a URL. */
export function address(url: URL): DatabaseAddress {
  const withPath = new URL(url);
  const options = url.searchParams.get("options") ?? "";
  withPath.searchParams.set("options", `${options} -c search_path=${SCHEMA}`.trim());
  const host = url.hostname;
  const port = url.port || "5432";
  const user = url.username ? `${decodeURIComponent(url.username)}@` : "";
  return {
    // libpq's URLs know %20 but not "+".
    url: withPath.href.replaceAll("+", "%20"),
    label: `postgres://${user}${host}:${port}${decodeURIComponent(url.pathname)}`,
    hostPort: `${host}:${port}`,
    loopback: /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host),
  };
}
