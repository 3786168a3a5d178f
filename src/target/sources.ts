import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { Failure, messageOf } from "../model/errors.ts";
import { readInputBytes } from "../model/input_file.ts";

/** Names of generated files and folders, which are not sources. */
const GENERATED = new Set([
  "node_modules",
  ".venv",
  "__pycache__",
  ".git",
  // The workflow of `bench init` checks out Stampede there
  ".stampede",
]);
/**
 * Generated folders by name, each with files. The folder is generated only if one of these files is
 * next to it; otherwise it may contain sources.
 */
const GENERATED_NEXT_TO: Readonly<Record<string, readonly string[]>> = {
  target: ["Cargo.toml", "pom.xml"],
};
/** Folders that are generated only if they are at the top of the sources. */
const GENERATED_AT_TOP = new Set(["results", "classes"]);

/** The execute permissions of a file. */
const EXECUTABLE = 0o111;

/**
 * A file from which a server is built. Its path, content and permission are part of the hash that
 * identifies the build.
 */
export interface SourceFile {
  /** Path relative to the folder of the sources. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Whether any of its execute permissions is set. */
  readonly isExecutable: boolean;
}

/** Returns the sources in a folder, sorted by path, without generated files. */
export async function readSources(folder: string, under = ""): Promise<SourceFile[]> {
  const entries = await Array.fromAsync(Deno.readDir(join(folder, under)));
  const files: SourceFile[] = [];
  for (const { name } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = join(under, name);
    if (GENERATED.has(name) || (under === "" && GENERATED_AT_TOP.has(name))) continue;
    if (GENERATED_NEXT_TO[name]?.some((maker) => entries.some((one) => one.name === maker))) {
      continue;
    }
    const { isDirectory, isFile, mode } = await Deno.stat(join(folder, path)); // follows symbolic links
    if (isDirectory) {
      files.push(...await readSources(folder, path));
    } else if (isFile) { // skips pipes, sockets and devices
      const isExecutable = ((mode ?? 0) & EXECUTABLE) !== 0;
      files.push({ path, bytes: await bytesOf(join(folder, path)), isExecutable });
    }
  }
  return files;
}

/**
 * Reads a source file.
 *
 * @throws {Failure} with its path, if it cannot be read.
 */
async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readInputBytes(path, "source");
  } catch (error) {
    throw new Failure(`Cannot read the source ${path}: ${messageOf(error)}`);
  }
}

/** Returns a short hash of sources and other inputs of a build. */
export function digest(sources: readonly SourceFile[], inputs: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(inputs));
  for (const { path, bytes, isExecutable } of sources) {
    hash.update(`\0${path}\0${isExecutable}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex").slice(0, 16);
}

/** Writes sources to a new folder. */
export async function writeSources(sources: readonly SourceFile[], folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const { path, bytes, isExecutable } of sources) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeFile(join(folder, path), bytes, { mode: isExecutable ? 0o755 : 0o644 });
  }
}
