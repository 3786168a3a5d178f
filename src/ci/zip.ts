/** One file of a zip archive that may be anything. */
import { type UnzipFileInfo, unzipSync } from "fflate";
import { UsageError } from "../model/errors.ts";

/**
 * The text of the one file in an archive that has this name, at its top. Nothing else of the archive is unpacked, and
 * no name in it becomes a path. The library fills as many bytes as the archive's directory says the file has and
 * never more, so one that lies about its size is cut, and a bomb costs no memory.
 *
 * @param mostBytes that the file may have
 * @throws {UsageError} for what is no archive, or has no such file, or one that is larger.
 */
export function textOfZip(archive: Uint8Array, name: string, mostBytes: number): string {
  let found: UnzipFileInfo | null = null;
  const isWanted = (file: UnzipFileInfo): boolean => {
    if (file.name !== name || found !== null) return false;
    found = file;
    return file.originalSize <= mostBytes;
  };
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(archive, { filter: isWanted });
  } catch {
    throw new UsageError("it is no zip archive, or a damaged one");
  }
  if (found === null) throw new UsageError(`there is no ${name} in it`);
  const bytes = files[name];
  if (bytes === undefined) {
    throw new UsageError(`its ${name} is larger than ${mostBytes / 1e6} MB`);
  }
  return new TextDecoder().decode(bytes);
}
