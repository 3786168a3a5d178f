import type { Manifest, Requirement } from "../model/server.ts";

/** Fields of a manifest that are derived from a project's files. */
export interface Project extends
  Pick<
    Manifest,
    | "name"
    | "language"
    | "framework"
    | "workers"
    | "takesTurns"
    | "requires"
    | "prepare"
    | "start"
    | "env"
  > {
  /** Name of the file from which the project was read. */
  readonly by: string;
  /** Assumptions that the user must check. */
  readonly doubts: readonly string[];
}

/** A folder with files that are read on demand. */
export interface Folder {
  /** Name of the folder, without its path. */
  readonly name: string;
  /** Returns the text of a file; null if it does not exist. */
  read(path: string): Promise<string | null>;
  /** Returns whether a file exists. */
  has(path: string): Promise<boolean>;
}

/**
 * Returns the requirement of a program in any version.
 *
 * @param command prints the program's version
 * @param install advice for people who lack the program
 */
export function need(command: readonly string[], install: string): Requirement {
  return { command, minimum: "0", install };
}

/**
 * Returns the name of the first framework with an installed package; null if there is none.
 *
 * @param names names of frameworks by package
 */
export function frameworkOf(
  names: Readonly<Record<string, string>>,
  packages: readonly string[],
): string | null {
  const found = Object.keys(names).find((name) => packages.includes(name));
  return found === undefined ? null : names[found] ?? null;
}
