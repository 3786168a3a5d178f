import { fileURLToPath } from "node:url";
import { connect, type DatabaseClient } from "../database/client.ts";
import { type Database, provideDatabase } from "../database/provide.ts";
import { Failure } from "../errors.ts";
import type { Facts, Target } from "../model.ts";
import { describeEnd } from "../process/child.ts";
import { Household } from "../process/household.ts";
import { launch, type ListenAddress, type RunningServer } from "../target/launch.ts";

const HELLO = new URL("../../hello.html", import.meta.url);

/** What servers are told, as options of the command line. */
export interface ServerOptions {
  readonly dbPool?: number;
  readonly cpuWorkers?: number;
  readonly queueLimit: number;
  readonly allowRemoteDatabase?: boolean;
}

/** The variables of the contract that do not depend on where a server runs. */
export type ServerEnv = Readonly<Record<"DB_POOL" | "CPU_WORKERS" | "QUEUE_LIMIT", string>>;

const DEFAULT_DB_POOL = 10;

/** The variables that the options ask for. */
export function serverEnv(
  { dbPool, cpuWorkers, queueLimit }: ServerOptions,
  defaultDbPool = DEFAULT_DB_POOL,
): ServerEnv {
  return {
    DB_POOL: String(dbPool ?? defaultDbPool),
    CPU_WORKERS: String(cpuWorkers ?? navigator.hardwareConcurrency),
    QUEUE_LIMIT: String(queueLimit),
  };
}

/** Options of {@linkcode Stage.open}. */
interface StageOptions {
  readonly options: ServerOptions;
  readonly needsDatabase: boolean;
  /** What {@linkcode serverEnv} made of the options. */
  readonly env: ServerEnv;
  /** Hears which database is used before it is written to. */
  readonly onDatabase: (label: string) => void;
}

/** The surroundings in which servers run: their database and whatever else has to be cleared up. */
export class Stage implements AsyncDisposable {
  readonly household: Household;
  readonly database: Database | null;
  readonly facts: Facts;
  readonly #client: DatabaseClient | null;
  readonly #env: ServerEnv;

  private constructor(
    household: Household,
    database: Database | null,
    { client, facts, env }: {
      client: DatabaseClient | null;
      facts: Facts;
      env: ServerEnv;
    },
  ) {
    this.household = household;
    this.database = database;
    this.facts = facts;
    this.#client = client;
    this.#env = env;
  }

  /** Starts what the servers need. */
  static async open({ options, needsDatabase, env, onDatabase }: StageOptions): Promise<Stage> {
    const household = new Household();
    try {
      const database = needsDatabase
        ? await provideDatabase(household, {
          env: (name) => Deno.env.get(name),
          allowRemote: options.allowRemoteDatabase ?? false,
          connections: Number(env.DB_POOL),
          onChosen: onDatabase,
        })
        : null;
      const client = database && await connect(database.address);
      const facts: Facts = {
        helloHtml: await Deno.readTextFile(fileURLToPath(HELLO)),
        rows: (sql, values) => {
          if (client === null) throw new Failure("There is no database in this run");
          return client.query(sql, values);
        },
      };
      return new Stage(household, database, { client, facts, env });
    } catch (error) {
      await household[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Starts a server here; `onLog` gets what it writes to its standard error. */
  launch(
    target: Target,
    at?: ListenAddress,
    onLog?: (text: string) => void,
  ): Promise<RunningServer> {
    const address = this.database?.address;
    return launch(this.household, target, {
      databaseUrl: address?.url ?? null,
      databaseHostPort: address?.hostPort ?? null,
      env: this.#env,
      ...(onLog && { onLog }),
    }, at);
  }

  /** @throws {Failure} if the embedded database has ended. */
  async assertSound(): Promise<void> {
    const process = this.database?.process;
    if (!process?.hasEnded) return;
    const end = describeEnd(await process.ended);
    throw new Failure(`PostgreSQL ${end}: nothing more can be measured`);
  }

  /** Stops everything and removes it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client?.close();
    await this.household[Symbol.asyncDispose]();
  }
}
