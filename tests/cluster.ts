import { address, connect, type DatabaseClient } from "../src/database/client.ts";
import { startEmbedded } from "../src/database/provide.ts";
import { createTables } from "../src/database/tables.ts";
import { ProcessScope } from "../src/process/scope.ts";

/**
 * Environment variable with the PostgreSQL server that `tests/run.ts` starts for all files. Without it, each
 * file starts one.
 */
export const CLUSTER_VARIABLE = "STAMPEDE_TEST_CLUSTER";
/** Name of a database with Stampede's tables. Copying it is faster than filling a new one. */
const TEMPLATE = "filled";
const CONNECTIONS = 400;

/** A database for one test, which is removed with its scope. */
export interface TestDatabase extends AsyncDisposable {
  /** As in `DATABASE_URL`. */
  readonly url: string;
}

/**
 * Starts the PostgreSQL server for tests that do not need the embedded one.
 *
 * @returns its address, for {@linkcode CLUSTER_VARIABLE}
 */
export async function startCluster(scope: ProcessScope): Promise<string> {
  const embedded = await startEmbedded(scope, { connections: CONNECTIONS });
  const url = bare(embedded.address.url);
  await using client = await connectTo(url);
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  {
    await using filling = await connectTo(databaseIn(url, TEMPLATE));
    await createTables(filling);
  }
  return url;
}

let own: Promise<string> | null = null;

/** Returns the address of the shared server. If this file started it, it ends with the process. */
function cluster(): Promise<string> {
  const shared = Deno.env.get(CLUSTER_VARIABLE);
  if (shared) return Promise.resolve(shared);
  return own ??= startCluster(new ProcessScope());
}

/**
 * Makes a database in the shared server, so that tests are isolated.
 *
 * @param content whether it has Stampede's tables
 */
export async function createDatabase(
  content: "filled" | "empty" = "filled",
): Promise<TestDatabase> {
  const url = await cluster();
  const template = content === "filled" ? TEMPLATE : "template1";
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  {
    await using client = await connectTo(url);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  }
  return {
    url: databaseIn(url, name),
    [Symbol.asyncDispose]: async () => {
      await using client = await connectTo(url);
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

function databaseIn(cluster: string, name: string): string {
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return url.href;
}

/** Returns a URL without the search path, which Stampede sets in any database. */
function bare(text: string): string {
  const url = new URL(text);
  url.search = "";
  return url.href;
}

function connectTo(url: string): Promise<DatabaseClient> {
  return connect(address(new URL(url)));
}
