import { Failure, messageOf } from "../model/errors.ts";

/** What changes when a file is written or replaced; null if there is none. */
export async function versionOf(path: string): Promise<string | null> {
  const info = await Deno.stat(path).catch(() => null);
  return info && [info.ino, info.size, info.mtime?.getTime()].join(" ");
}

/**
 * Gives a file another name, at which there was none.
 *
 * @returns that name.
 * @throws {Failure} if it cannot be renamed.
 */
export async function setAside(path: string): Promise<string> {
  for (let i = 1;; i++) {
    const aside = `${path}.changed-${i}`;
    if (await versionOf(aside) !== null) continue;
    try {
      await Deno.rename(path, aside);
      return aside;
    } catch (error) {
      throw new Failure(`Cannot rename ${path}: ${messageOf(error)}`);
    }
  }
}
