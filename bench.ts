/** The command line's entry: runs a command and turns errors into messages and exit codes. */
import process from "node:process";
import { execute } from "./src/cli/program.ts";
import { complain } from "./src/cli/print.ts";
import { Interrupted, messageOf, UsageError } from "./src/model/errors.ts";

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  return error instanceof Interrupted ? 130 : 1;
}

function loadEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return; // That is the usual case.
    throw new UsageError(`Cannot read .env: ${messageOf(error)}`);
  }
}

async function main(): Promise<number> {
  try {
    loadEnvFile();
    return await execute(Deno.args);
  } catch (error) {
    complain(messageOf(error));
    if (Deno.args.includes("--debug") && error instanceof Error) complain(error.stack ?? "");
    return exitCodeOf(error);
  }
}

Deno.exit(await main());
