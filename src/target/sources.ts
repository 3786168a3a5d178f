import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { Failure, messageOf } from "../model/errors.ts";
import { readInputBytes } from "../model/input_file.ts";

/** What people and tools make in a folder of sources, and is none. */
const MADE = new Set([
  "node_modules",
  ".venv",
  "__pycache__",
  ".git",
  // Where the workflow of `bench init` checks out Stampede
  ".stampede",
]);
/** What is made beside these files, and may be sources elsewhere. */
const MADE_BESIDE: Readonly<Record<string, readonly string[]>> = {
  target: ["Cargo.toml", "pom.xml"],
};
/** What is made at the top alone. */
const MADE_AT_TOP = new Set(["results", "classes"]);

/** The permissions to run a file. */
const EXECUTABLE = 0o111;

/** One file of a server's sources. */
export interface SourceFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Whether it can be run. */
  readonly isExecutable: boolean;
}

/** The sources in a folder, in order, without what was made of them there. */
export async function readSources(folder: string, under = ""): Promise<SourceFile[]> {
  const entries = await Array.fromAsync(Deno.readDir(join(folder, under)));
  const files: SourceFile[] = [];
  for (const { name } of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = join(under, name);
    if (MADE.has(name) || (under === "" && MADE_AT_TOP.has(name))) continue;
    if (MADE_BESIDE[name]?.some((maker) => entries.some((one) => one.name === maker))) continue;
    const { isDirectory, isFile, mode } = await Deno.stat(join(folder, path)); // behind links
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
 * @throws {Failure} naming the file, if it cannot be read.
 */
async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readInputBytes(path, "source");
  } catch (error) {
    throw new Failure(`Cannot read the source ${path}: ${messageOf(error)}`);
  }
}

/** A short name for contents: the same for the same sources and circumstances, and for no others. */
export function digest(sources: readonly SourceFile[], circumstances: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(circumstances));
  for (const { path, bytes, isExecutable } of sources) {
    hash.update(`\0${path}\0${isExecutable}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex").slice(0, 16);
}

/** Writes sources into a folder that is made for them. */
export async function writeSources(sources: readonly SourceFile[], folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const { path, bytes, isExecutable } of sources) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeFile(join(folder, path), bytes, { mode: isExecutable ? 0o755 : 0o644 });
  }
}
