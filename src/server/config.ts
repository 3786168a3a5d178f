import { LIMITS } from "./limits.ts";

/** Configuration of the server: for each field its environment variable and default. */
export interface ServerConfig {
  /** Address to listen on; `HOST`, 127.0.0.1. */
  readonly host: string;
  /** Port to listen on, 0 for any free one; `PORT`, 8000. */
  readonly port: number;
  /** PostgreSQL's URL; `DATABASE_URL`. Without it the database routes answer 503. */
  readonly databaseUrl: string | null;
  /** Maximum number of connections to PostgreSQL; `DB_POOL`, 10. */
  readonly dbPool: number;
  /** Number of Web Workers that compute primes; `CPU_WORKERS`, the number of cores. */
  readonly cpuWorkers: number;
  /** Maximum number of waiting requests for a worker, or of queries; `QUEUE_LIMIT`, 10000. */
  readonly queueLimit: number;
  /** Contents of the PEM files at `TLS_CERT` and `TLS_KEY`; null for plain HTTP, the default. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

/** Reads the configuration. Ends the process with exit code 2 if a variable is invalid. */
export function configOrExit(): ServerConfig {
  try {
    return readConfig((name) => Deno.env.get(name));
  } catch (error) {
    exitWith(2, error);
  }
}

/** Prints an error and ends the process. */
export function exitWith(code: number, error: unknown): never {
  // deno-lint-ignore no-console -- there is no response to put it into
  console.error(error instanceof Error ? error.message : error);
  Deno.exit(code);
}

/** Reads the configuration from variables. Throws a `RangeError` that names an invalid one. */
export function readConfig(env: (name: string) => string | undefined): ServerConfig {
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const text = env(name);
    if (text === undefined || text === "") return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new RangeError(
      `Cannot read ${name}: "${text}" is not a whole number from ${min} to ${max}`,
    );
  };
  return Object.freeze({
    host: env("HOST") || "127.0.0.1",
    port: integer("PORT", 8000, 0, 65535),
    databaseUrl: databaseUrl(env("DATABASE_URL")),
    dbPool: integer("DB_POOL", 10, 1, 1000),
    cpuWorkers: integer("CPU_WORKERS", navigator.hardwareConcurrency, 1, 256),
    queueLimit: integer("QUEUE_LIMIT", LIMITS.MAX_WAITING, 0, 1_000_000),
    tls: tlsFiles(env("TLS_CERT"), env("TLS_KEY")),
  });
}

function tlsFiles(cert: string | undefined, key: string | undefined): ServerConfig["tls"] {
  if (!cert && !key) return null;
  if (!cert || !key) {
    throw new RangeError("Cannot read TLS_CERT and TLS_KEY: one of them is missing");
  }
  const read = (name: string, path: string): string => {
    try {
      // A device may be endless, and a pipe would block the start
      const { isFile, size } = Deno.statSync(path);
      if (!isFile) throw new Error(`${path} is not a regular file`);
      if (size > LIMITS.MAX_PEM_BYTES) throw new Error(`${path} has more than 1 MiB`);
      return Deno.readTextFileSync(path);
    } catch (error) {
      throw new RangeError(`Cannot read ${name}: ${(error as Error).message}`);
    }
  };
  return { cert: read("TLS_CERT", cert), key: read("TLS_KEY", key) };
}

function databaseUrl(text: string | undefined): string | null {
  if (!text) return null;
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new RangeError(
    "Cannot read DATABASE_URL: it is not of the form postgres://user:password@host:port/database",
  );
}
