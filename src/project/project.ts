import type { Manifest, Requirement } from "../model/server.ts";

/** The part of a manifest that a project's files determine. */
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
  /** The file it was read from. */
  readonly by: string;
  /** Assumptions that the user must check. */
  readonly doubts: readonly string[];
}

/** A folder with files that are read on demand. */
export interface Folder {
  /** Its name. */
  readonly name: string;
  /** Returns the text of a file; null if it does not exist. */
  read(path: string): Promise<string | null>;
  /** Returns whether a file exists. */
  has(path: string): Promise<boolean>;
}

/** Returns the requirement of a program in any version. */
export function need(command: readonly string[], install: string): Requirement {
  return { command, minimum: "0", install };
}

/** Returns the first framework with an installed package, or null. */
export function frameworkOf(
  names: Readonly<Record<string, string>>,
  packages: readonly string[],
): string | null {
  const found = Object.keys(names).find((name) => packages.includes(name));
  return found === undefined ? null : names[found] ?? null;
}
