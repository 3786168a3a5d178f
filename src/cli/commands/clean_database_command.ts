import { SCHEMA } from "../../database/address.ts";
import { connect } from "../../database/client.ts";
import { foreignDatabase } from "../../database/provide.ts";
import { dropTables } from "../../database/tables.ts";
import { FINE, UsageError } from "../../model/errors.ts";
import type { Io } from "../io.ts";

/**
 * Runs `clean-database`: removes Stampede's schema from the database that the environment names.
 *
 * @returns the exit code
 * @throws {UsageError} if the environment names no database
 */
export async function cleanDatabase(
  { allowRemoteDatabase = false }: { allowRemoteDatabase?: boolean },
  io: Io,
): Promise<number> {
  const address = foreignDatabase({ env: io.env, allowRemote: allowRemoteDatabase });
  if (address === null) {
    throw new UsageError(
      "There is no database to clean: set DATABASE_URL, or PGHOST and so on; an embedded database ends with its run",
    );
  }
  await using client = await connect(address);
  const dropped = await dropTables(client);
  io.out(
    dropped
      ? `Removed the schema "${SCHEMA}" from ${address.label}`
      : `There is no schema "${SCHEMA}" in ${address.label}`,
  );
  return FINE;
}
