import { parseEnv } from "node:util";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFileSync } from "../model/input_file.ts";
import { OPTIONS } from "./options/option_table.ts";
import { DATABASE_VARIABLES } from "./options/option_variables.ts";

/** What a variable is set to; undefined if it is not. */
type EnvironmentVariables = (name: string) => string | undefined;

/** Variables that name a database server: what the shell says by them is not undone by a URL in a file. */
const NAME_A_SERVER = ["PGHOST", "PGPORT", "PGUSER", "PGDATABASE"];

/**
 * The environment with what a file `.env` adds: Stampede's own variables, where the shell does not set them.
 * Others that it has belong to other programs, and `PATH` to nobody but the shell.
 *
 * @param text what the file holds
 */
export function withEnvFile(text: string, shell: EnvironmentVariables): EnvironmentVariables {
  const own = new Set([
    ...OPTIONS.flatMap(({ env }) => env ?? []),
    ...DATABASE_VARIABLES.map(([name]) => name),
  ]);
  const file: Record<string, string | undefined> = parseEnv(text);
  const isNamed = NAME_A_SERVER.some((name) => shell(name));
  return (name) => {
    const set = shell(name);
    if (set !== undefined || !own.has(name)) return set;
    return name === "DATABASE_URL" && isNamed ? undefined : file[name];
  };
}

/**
 * The environment of a command, with what the file `.env` of a folder adds to it, if there is one.
 *
 * @throws {UsageError} if there is one that cannot be read.
 */
export function readEnvFile(folder: string, shell: EnvironmentVariables): EnvironmentVariables {
  try {
    return withEnvFile(readInputFileSync(`${folder}/.env`, "env"), shell);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return shell;
    throw new UsageError(`Cannot read .env: ${messageOf(error)}`);
  }
}
