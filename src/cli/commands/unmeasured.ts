/** The testbed of commands that start servers without timing them. */
import { LocalTestbed } from "../../engine/local_testbed.ts";
import type { ProgressListener } from "../../engine/testbed.ts";
import { alpnOf, serverEnv } from "../../experiment/options.ts";
import { describeDatabase } from "../../view/progress.ts";
import { type Options, testbedOptions } from "../command.ts";
import type { Io } from "../io.ts";

/** Default number of database connections of a server outside a measurement. */
export const DEFAULT_DB_POOL = 10;

/**
 * Opens this machine for servers, without a measurement. `onDatabase` receives the database used, and `abort` ends
 * the start of PostgreSQL or of a server.
 */
export function openTestbed(
  options: Options,
  database: boolean,
  io: Io,
  onDatabase: (description: string, isEmbedded: boolean) => void,
  abort: AbortSignal = io.stop,
): ReturnType<LocalTestbed["open"]> {
  const { DB_POOL, WORKERS } = serverEnv(options, DEFAULT_DB_POOL);
  const databaseConnections = Math.max(Number(DB_POOL), Number(WORKERS));
  const needs = { database, databaseConnections, pins: false, tls: alpnOf(options) };
  const onProgress: ProgressListener = (event) => {
    if (event.kind !== "note" || event.note.kind !== "database") return;
    onDatabase(describeDatabase(event.note), event.note.isEmbedded);
  };
  return new LocalTestbed(testbedOptions(options, io)).open(needs, onProgress, abort);
}
