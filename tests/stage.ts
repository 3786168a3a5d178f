import { connect, type DatabaseClient } from "../src/database/client.ts";
import { type Database, provideDatabase } from "../src/database/provide.ts";
import { ProcessScope } from "../src/process/scope.ts";
import { createDatabase } from "./cluster.ts";
import { readCatalog } from "../src/target/catalog.ts";
import { launch, type RunningServer } from "../src/target/launch.ts";

/** Stampede's own server with a real database. */
export interface Stage {
  readonly server: RunningServer;
  readonly database: Database;
  readonly client: DatabaseClient;
}

/** Options of {@linkcode withServer}. */
export interface StageOptions {
  /** Environment variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** The embedded database, or a separate one in the tests' server. */
  readonly database?: "embedded" | "shared";
  /** Id of the server; defaults to Stampede's own. */
  readonly id?: string;
}

/** Runs a test against one of Stampede's own servers, started as in its manifest. */
export async function withServer(
  test: (stage: Stage) => Promise<void>,
  { env = {}, database: kind = "shared", id = "deno" }: StageOptions = {},
): Promise<void> {
  await using shared = kind === "shared" ? await createDatabase() : null;
  await using scope = new ProcessScope();
  const database = await provideDatabase(scope, {
    env: (name) => name === "DATABASE_URL" ? shared?.url : undefined,
    allowRemote: false,
    connections: 10,
    onChosen: () => {},
  });
  await using client = await connect(database.address);
  const systemUnderTest = (await readCatalog()).get(id);
  if (systemUnderTest === undefined) throw new Error(`There is no manifest for ${id}`);
  await using server = await launch(scope, systemUnderTest, {
    database: database.address,
    env,
  });
  await test({ server, database, client });
}
