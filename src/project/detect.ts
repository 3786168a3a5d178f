import { messageOf, UsageError } from "../model/errors.ts";
import { oneLine } from "../model/text.ts";
import { readGo, readMaven, readRust } from "./compiled.ts";
import { readDeno, readPackage } from "./javascript.ts";
import type { Folder, Project } from "./project.ts";
import { readPython } from "./python.ts";

/**
 * Readers of project files; the first one that finds a project decides. package.json comes last,
 * because many projects have one only for their tools.
 */
const READERS:
  readonly (readonly [file: string, read: (folder: Folder) => Promise<Project | null>])[] = [
    ["go.mod", readGo],
    ["Cargo.toml", readRust],
    ["pom.xml", readMaven],
    ["deno.json", readDeno],
    ["pyproject.toml", readPython],
    ["package.json", readPackage],
  ];

/**
 * Maximum length of a project's name, in characters: the same limit as npm's. The id becomes a folder name.
 */
const LONGEST_NAME = 214;

/**
 * Checks a project's name.
 *
 * @throws {TypeError} if it is not text, or is too long.
 */
function named(project: Project): Project {
  const { name }: { name: unknown } = project;
  if (typeof name !== "string") throw new TypeError("its name is not text");
  if (name.length > LONGEST_NAME) {
    throw new TypeError(`its name has ${name.length} characters; the maximum is ${LONGEST_NAME}`);
  }
  return project;
}

/**
 * Derives how a folder's server is built and started from its project files.
 *
 * @throws {UsageError} if there are none, or they cannot be read.
 */
export async function detect(folder: Folder): Promise<Project> {
  for (const [file, read] of READERS) {
    try {
      const project = await read(folder);
      if (project !== null) return named(project);
    } catch (error) {
      throw new UsageError(`Cannot read ${file}: ${oneLine(messageOf(error))}`);
    }
  }
  const names = READERS.map(([file]) => file).join(", ");
  throw new UsageError(
    `Cannot detect the kind of project in ${folder.name}: it has none of ${names}; docs/adding_a_server.md explains server.json`,
  );
}
