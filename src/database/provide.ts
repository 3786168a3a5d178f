import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { Child } from "../process/child.ts";
import type { ProcessScope } from "../process/scope.ts";
import { addressFromEnvironment, connect, type DatabaseAddress } from "./client.ts";
import { startEmbedded } from "./embedded.ts";
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
  /** Receives the database's label and whether it is embedded, before Stampede writes to it. */
  readonly onChosen: (label: string, isEmbedded: boolean) => void;
}

/**
 * Provides the database that the environment names, or an embedded one, with Stampede's tables.
 *
 * @throws {UsageError} if the database is on another machine and `allowRemote` is false.
 * @throws {Failure} if the database cannot be reached, started or filled.
 */
export async function provideDatabase(
  scope: ProcessScope,
  options: ProvideOptions,
): Promise<Database> {
  const named = foreignDatabase(options);
  const { address, process } = named
    ? { address: named, process: null }
    : await startEmbedded(scope, options.connections, options.cpus ?? null);
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
