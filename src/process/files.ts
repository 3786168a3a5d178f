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
