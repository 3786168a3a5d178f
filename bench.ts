/** The command line's entry: runs a command and turns errors into messages and exit codes. */
import process from "node:process";
import { processIo } from "./src/cli/io.ts";
import { main } from "./src/cli/program.ts";
import { messageOf, UsageError } from "./src/model/errors.ts";

/** @throws {UsageError} if there is a .env that cannot be read. */
function loadEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return; // That is the usual case.
    throw new UsageError(`Cannot read .env: ${messageOf(error)}`);
  }
}

Deno.exit(await main(Deno.args, processIo(Deno.args), loadEnvFile));
