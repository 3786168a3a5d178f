import { delimiter, join } from "node:path";

/** Returns the text of a file; null if it is missing or unreadable, as in /proc after a process ended. */
export function readText(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return null;
  }
}

/** Returns the names in a folder; null if it is missing or unreadable. */
export function listFolder(path: string): string[] | null {
  try {
    return [...Deno.readDirSync(path)].map(({ name }) => name);
  } catch {
    return null;
  }
}

/** Returns whether there is a file or folder at a path. */
export async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Returns the path of an executable program in the folders of `PATH`; null if none contains it. */
export function which(program: string): string | null {
  const file = Deno.build.os === "windows" ? `${program}.exe` : program;
  const folders = Deno.env.get("PATH")?.split(delimiter).filter((folder) => folder !== "") ?? [];
  return folders.map((folder) => join(folder, file)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && (mode === null || (mode & 0o111) !== 0); // Windows has no mode
  } catch {
    return false;
  }
}

const RETRY_PAUSE_MS = 100;

/** Removes a folder. Tries for 2 s, because a process that ends may still write to it. Never throws. */
export async function removeFolder(path: string): Promise<void> {
  for (let leftMs = 2000; leftMs > 0; leftMs -= RETRY_PAUSE_MS) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
    }
  }
}

/** Returns the total size of all files below a folder in bytes. Symbolic links are not followed. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) bytes += await sizeOf(path);
    else if (isFile) bytes += (await Deno.stat(path)).size;
  }
  return bytes;
}
