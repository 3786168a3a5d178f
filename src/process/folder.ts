import { join } from "node:path";

const ATTEMPTS = 20;
const PAUSE_MS = 100;

/**
 * Removes a folder with all that is in it. What is still being written to it, by a process that is
 * about to end, makes it try again; it gives up after two seconds.
 */
export async function removeFolder(path: string): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** Returns the bytes of all files in a folder and below it, without those that links lead to. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) bytes += await sizeOf(path);
    else if (isFile) bytes += (await Deno.stat(path)).size;
  }
  return bytes;
}
