import { fileURLToPath } from "node:url";
import { SCENARIOS } from "../../scenarios/mod.ts";
import { connect, type DatabaseClient } from "../database/client.ts";
import { type Database, foreignDatabase, provideDatabase } from "../database/provide.ts";
import { readStatements, workBetween } from "../database/statements.ts";
import { Failure } from "../model/errors.ts";
import type { Pinning } from "../model/report.ts";
import type { MachineFacts } from "../machine/facts.ts";
import { planPinning } from "../machine/pinning.ts";
import { readMachine } from "../machine/read.ts";
import type { Facts } from "../model/scenario.ts";
import type { Server } from "../model/server.ts";
import type { DatabaseWork } from "../model/raw.ts";
import { describeEnd } from "../process/child.ts";
import { ProcessScope } from "../process/scope.ts";
import {
  attach,
  launch,
  type ListenAddress,
  type RunningServer,
  type Surroundings as LaunchSurroundings,
} from "../target/launch.ts";

const HELLO = new URL("../../hello.html", import.meta.url);

/** What servers are told, as options of the command line. */
export interface ServerOptions {
  readonly workers?: number;
  readonly dbPool?: number;
  readonly cpuWorkers?: number;
  readonly queueLimit: number;
  readonly allowRemoteDatabase?: boolean;
}

/** The variables of the contract that do not depend on where a server runs. */
export type ServerEnv = Readonly<
  Record<"DB_POOL" | "WORKERS" | "CPU_WORKERS" | "QUEUE_LIMIT", string>
>;

const DEFAULT_DB_POOL = 10;

/** The variables that the options ask for. */
export function serverEnv(
  { dbPool, workers = 1, cpuWorkers, queueLimit }: ServerOptions,
  defaultDbPool = DEFAULT_DB_POOL,
): ServerEnv {
  return {
    DB_POOL: String(dbPool ?? defaultDbPool),
    WORKERS: String(workers),
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
  /** Whether every part is to have processors of its own. */
  readonly pin?: boolean;
  /** Hears which database is used before it is written to. */
  readonly onDatabase: (label: string) => void;
  /** Hears why nothing is pinned. */
  readonly onNote?: (text: string) => void;
}

/** What a stage is made of. */
interface Props {
  readonly scope: ProcessScope;
  readonly database: Database | null;
  readonly client: DatabaseClient | null;
  readonly facts: Facts;
  readonly env: ServerEnv;
  readonly machine: MachineFacts;
  readonly pinning: Pinning | null;
}

/** The surroundings in which servers run: their database and whatever else has to be cleared up. */
export class Stage implements AsyncDisposable {
  readonly #props: Props;

  private constructor(props: Props) {
    this.#props = props;
  }

  get scope(): ProcessScope {
    return this.#props.scope;
  }

  get database(): Database | null {
    return this.#props.database;
  }

  get facts(): Facts {
    return this.#props.facts;
  }

  /** What was known of the machine before anything was started. */
  get machine(): MachineFacts {
    return this.#props.machine;
  }

  get pinning(): Pinning | null {
    return this.#props.pinning;
  }

  /** Starts what the servers need. */
  static async open(stageOptions: StageOptions): Promise<Stage> {
    const { options, needsDatabase, env, pin = false, onDatabase, onNote } = stageOptions;
    const machine = await readMachine();
    const variable = (name: string): string | undefined => Deno.env.get(name);
    const allowRemote = options.allowRemoteDatabase ?? false;
    const isOurs = needsDatabase && foreignDatabase({ env: variable, allowRemote }) === null;
    const pinning = pin ? pinningOf(machine, isOurs, onNote) : null;
    const scope = new ProcessScope();
    try {
      const database = needsDatabase
        ? await provideDatabase(scope, {
          env: variable,
          allowRemote,
          connections: Math.max(Number(env.DB_POOL), Number(env.WORKERS)),
          cpus: pinning?.database ?? null,
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
      return new Stage({ scope, database, client, facts, env, machine, pinning });
    } catch (error) {
      await scope[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Starts a server here; `onLog` gets what it writes to its standard error. */
  launch(
    target: Server,
    at?: ListenAddress,
    onLog?: (text: string) => void,
  ): Promise<RunningServer> {
    if (target.attached !== null) return attach(target.attached);
    const { scope, database, env, pinning, facts } = this.#props;
    const address = database?.address;
    return launch(scope, target, {
      databaseUrl: address?.url ?? null,
      databaseHostPort: address?.hostPort ?? null,
      env: { ...env, HELLO_HTML: fileURLToPath(HELLO) },
      cpus: pinning?.server ?? null,
      ...rightAnswer(target, facts),
      ...(onLog && { onLog }),
    }, at);
  }

  /** Begins to count what the embedded database does; null on one that was there before. */
  async countStatements(): Promise<(() => Promise<DatabaseWork>) | null> {
    const { client, database } = this.#props;
    if (client === null || !database?.process) return null;
    const before = await readStatements(client);
    return async () => workBetween(before, await readStatements(client));
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
    await this.#props.client?.close();
    await this.scope[Symbol.asyncDispose]();
  }
}

/** Knows a right answer by the scenario whose request is what a starting server is asked. */
function rightAnswer(target: Server, facts: Facts): Pick<LaunchSurroundings, "isRight"> {
  const scenario = SCENARIOS.find(({ id, request }) =>
    id in target.scenarios && request.method === "GET" && request.path === target.ready.path
  );
  if (scenario === undefined) return {};
  return {
    isRight: (answer) => {
      try {
        scenario.expect(answer, facts);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** The processors of each part; null, and a note why, if there are not enough. */
function pinningOf(
  machine: MachineFacts,
  database: boolean,
  onNote: (text: string) => void = () => {},
): Pinning | null {
  const pinning = planPinning(machine, { database });
  if (!("reason" in pinning)) return pinning;
  onNote(`Not pinned: ${pinning.reason}`);
  return null;
}
