/** One file of a zip archive that may be anything. */
import { Unzip, type UnzipFile, UnzipInflate } from "fflate";
import { UsageError } from "../model/errors.ts";

/** How much is unpacked at a time; it may become a thousand times as much, which is all that is ever held too much. */
const PIECE_BYTES = 8192;
/** How an archive begins: APPNOTE 4.3.7, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
const BEGINNING = [0x50, 0x4b, 0x03, 0x04];

/**
 * The text of the first file in an archive that has this name, at its top. Nothing else of the archive is unpacked, and
 * no name in it becomes a path. What comes out is counted, whatever the archive says of sizes: one that lies, or a
 * bomb, ends at the limit.
 *
 * @param mostBytes that the file may have
 * @throws {UsageError} for what is no archive, or has no such file, or one that is larger.
 */
export function textOfZip(archive: Uint8Array, name: string, mostBytes: number): string {
  const damaged = new UsageError("it is no zip archive, or a damaged one");
  if (BEGINNING.some((byte, index) => archive[index] !== byte)) throw damaged;
  const decoder = new TextDecoder();
  let state: "sought" | "begun" | "whole" = "sought";
  let text = "";
  let size = 0;
  const take = (file: UnzipFile): void => {
    if (file.name !== name || state !== "sought") return;
    state = "begun";
    file.ondata = (error, bytes, isLast) => {
      // The library catches what is thrown here, and hands it in again
      if (error) throw error;
      size += bytes.length;
      if (size > mostBytes) {
        throw new UsageError(`its ${name} is larger than ${mostBytes / 1e6} MB`);
      }
      text += decoder.decode(bytes, { stream: !isLast });
      if (isLast) state = "whole";
    };
    file.start();
  };
  const isWhole = (): boolean => state === "whole";
  const unzip = new Unzip(take);
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < archive.length && !isWhole(); at += PIECE_BYTES) {
      const end = at + PIECE_BYTES;
      unzip.push(archive.subarray(at, end), end >= archive.length);
    }
  } catch (error) {
    throw error instanceof UsageError ? error : damaged;
  }
  if (isWhole()) return text;
  throw state === "sought" ? new UsageError(`there is no ${name} in it`) : damaged;
}
