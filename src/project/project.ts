import type { Manifest, Requirement } from "../model/server.ts";

/** What of a manifest a project's own files tell. */
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
  /** The file that told it. */
  readonly by: string;
  /** What its files do not say for certain, and a person has to look at. */
  readonly doubts: readonly string[];
}

/** A folder's files, read when they are asked for. */
export interface Folder {
  /** Its own name. */
  readonly name: string;
  /** The text of a file; null if it is not there. */
  read(path: string): Promise<string | null>;
  /** Whether a file is there. */
  has(path: string): Promise<boolean>;
}

/** A program of any version. */
export function need(command: readonly string[], install: string): Requirement {
  return { command, minimum: "0", install };
}

/** Frameworks by the name of their package, the first that is found. */
export function frameworkOf(
  names: Readonly<Record<string, string>>,
  packages: readonly string[],
): string | null {
  const found = Object.keys(names).find((name) => packages.includes(name));
  return found === undefined ? null : names[found] ?? null;
}
