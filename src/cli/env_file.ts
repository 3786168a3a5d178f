import { parseEnv } from "node:util";
import { messageOf, UsageError } from "../model/errors.ts";
import { readInputFileSync } from "../model/input_file.ts";
import { OPTIONS } from "./options/option_table.ts";
import { DATABASE_VARIABLES } from "./options/server_options.ts";

/** Returns the value of a variable; undefined if it is unset. */
type EnvironmentVariables = (name: string) => string | undefined;

/** Variables that name a database server. If the shell sets one, a DATABASE_URL in the file is ignored. */
const NAME_A_SERVER = ["PGHOST", "PGPORT", "PGUSER", "PGDATABASE"];

/**
 * Returns the environment with the variables of a `.env` file. The shell's values take precedence.
 * Only Stampede's variables are read, because other programs may use the file too.
 *
 * @param text the content of the file
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
 * Returns the environment with the variables of the `.env` file in a folder, if the file exists.
 *
 * @throws {UsageError} if the file cannot be read
 */
export function readEnvFile(folder: string, shell: EnvironmentVariables): EnvironmentVariables {
  try {
    return withEnvFile(readInputFileSync(`${folder}/.env`, "env"), shell);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return shell;
    throw new UsageError(`Cannot read .env: ${messageOf(error)}`);
  }
}
