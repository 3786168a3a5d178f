import { connect, type DatabaseClient } from "../src/database/client.ts";
import { type Database, provideDatabase } from "../src/database/provide.ts";
import { ProcessScope } from "../src/process/scope.ts";
import { readCatalog } from "../src/target/catalog.ts";
import { launch, type RunningServer } from "../src/target/launch.ts";

/** Stampede's own server with a real database. */
export interface Stage {
  readonly server: RunningServer;
  readonly database: Database;
  readonly client: DatabaseClient;
}

/** Runs a test against Stampede's own server, started as its manifest says. */
export async function withServer(
  test: (stage: Stage) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using scope = new ProcessScope();
  const database = await provideDatabase(scope, {
    env: () => undefined,
    allowRemote: false,
    connections: 10,
    onChosen: () => {},
  });
  await using client = await connect(database.address);
  const target = (await readCatalog()).get("deno");
  if (target === undefined) throw new Error("There is no manifest for deno");
  await using server = await launch(scope, target, {
    databaseUrl: database.address.url,
    databaseHostPort: database.address.hostPort,
    env,
  });
  await test({ server, database, client });
}
