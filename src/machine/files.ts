import { delimiter, join } from "node:path";

/** Returns the text of a file; null if it is missing or unreadable. */
export async function readText(path: string): Promise<string | null> {
  return await Deno.readTextFile(path).catch(() => null);
}

/** Returns the names in a folder; null if it is missing or unreadable. */
export async function listFolder(path: string): Promise<string[] | null> {
  try {
    return (await Array.fromAsync(Deno.readDir(path))).map(({ name }) => name);
  } catch {
    return null;
  }
}

/** Returns whether a folder of the PATH contains an executable program with this name. */
export async function isOnPath(program: string): Promise<boolean> {
  const file = Deno.build.os === "windows" ? `${program}.exe` : program;
  const folders = Deno.env.get("PATH")?.split(delimiter).filter((folder) => folder !== "") ?? [];
  const found = await Promise.all(folders.map((folder) => isExecutable(join(folder, file))));
  return found.includes(true);
}

async function isExecutable(path: string): Promise<boolean> {
  const info = await Deno.stat(path).catch(() => null);
  // Windows has no mode.
  return info !== null && info.isFile && (info.mode === null || (info.mode & 0o111) !== 0);
}
