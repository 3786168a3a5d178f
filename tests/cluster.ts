import { address } from "../src/database/address.ts";
import { connect, type DatabaseClient } from "../src/database/client.ts";
import { startEmbedded } from "../src/database/embedded.ts";
import { createTables } from "../src/database/tables.ts";
import { ProcessScope } from "../src/process/scope.ts";

/** Variable with the cluster that `tests/run.ts` started; a file that runs without it starts a cluster. */
export const CLUSTER_VARIABLE = "STAMPEDE_TEST_CLUSTER";
/** A database that has Stampede's tables already: filling them takes longer than copying them. */
const TEMPLATE = "filled";
const CONNECTIONS = 400;

/** A database of a test's own, which goes with its scope. */
export interface TestDatabase extends AsyncDisposable {
  /** As a person would put it into `DATABASE_URL`. */
  readonly url: string;
}

/**
 * Starts the PostgreSQL server that tests share, except tests of the embedded one.
 *
 * @returns its URL, for {@linkcode CLUSTER_VARIABLE}
 */
export async function startCluster(scope: ProcessScope): Promise<string> {
  const embedded = await startEmbedded(scope, CONNECTIONS, null);
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

/** Returns the URL of the shared server. A server started by this file ends with the file's process. */
function cluster(): Promise<string> {
  const shared = Deno.env.get(CLUSTER_VARIABLE);
  if (shared) return Promise.resolve(shared);
  return own ??= startCluster(new ProcessScope());
}

/**
 * Makes a database in the shared server: tests do not see each other.
 *
 * @param content whether Stampede's tables are in it already.
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

/** Without the search path: Stampede sets it, as on any database. */
function bare(text: string): string {
  const url = new URL(text);
  url.search = "";
  return url.href;
}

function connectTo(url: string): Promise<DatabaseClient> {
  return connect(address(new URL(url)));
}
