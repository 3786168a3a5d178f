import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { Child } from "../process/child.ts";
import type { ProcessScope } from "../process/scope.ts";
import { addressFromEnvironment, type DatabaseAddress } from "./address.ts";
import { connect } from "./client.ts";
import { startEmbedded } from "./embedded.ts";
import { createTables } from "./tables.ts";

/** A database with Stampede's tables in it. */
export interface Database {
  readonly address: DatabaseAddress;
  /** PostgreSQL's version, such as `18.4`. */
  readonly version: string;
  /** The embedded server's process; null for one that was there before. */
  readonly process: Child | null;
}

/** Options of {@linkcode provideDatabase}. */
export interface ProvideOptions {
  readonly env: (name: string) => string | undefined;
  /** Whether a server that is not on this machine may be written to. */
  readonly allowRemote: boolean;
  /** How many connections the servers may open together. */
  readonly connections: number;
  /** The processors that an embedded server may use; null: all. */
  readonly cpus?: readonly number[] | null;
  /** Hears which database is used, and whether it is an embedded one, before it is written to. */
  readonly onChosen: (label: string, isEmbedded: boolean) => void;
}

/**
 * The database that the environment names, or else an embedded one, with Stampede's tables.
 *
 * @throws {UsageError} if it is a remote one that was not allowed.
 * @throws {Failure} if it cannot be reached, started or filled.
 */
export async function provideDatabase(
  scope: ProcessScope,
  options: ProvideOptions,
): Promise<Database> {
  const foreign = foreignDatabase(options);
  const { address, process } = foreign
    ? { address: foreign, process: null }
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

/** The database that the environment names, checked; null if it names none. */
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
