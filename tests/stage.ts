import { connect, type DatabaseClient } from "../src/database/client.ts";
import { type Database, provideDatabase } from "../src/database/provide.ts";
import { Household } from "../src/process/household.ts";
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
  await using household = new Household();
  const database = await provideDatabase(household, {
    env: () => undefined,
    allowRemote: false,
    connections: 10,
    onChosen: () => {},
  });
  await using client = await connect(database.address);
  const target = (await readCatalog()).get("deno");
  if (target === undefined) throw new Error("There is no manifest for deno");
  await using server = await launch(household, target, {
    databaseUrl: database.address.url,
    databaseHostPort: database.address.hostPort,
    env,
  });
  await test({ server, database, client });
}
