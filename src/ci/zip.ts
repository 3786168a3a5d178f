/** Reads one file of an untrusted zip archive. */
import { Unzip, type UnzipFile, UnzipInflate } from "fflate";
import { UsageError } from "../model/errors.ts";

/**
 * Number of compressed bytes that are unpacked at a time. They expand at most a thousandfold, so at
 * most 8 MB are unpacked beyond the size limit.
 */
const PIECE_BYTES = 8192;
/**
 * Bytes with which every archive begins: APPNOTE 4.3.7,
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
const BEGINNING = [0x50, 0x4b, 0x03, 0x04];

/**
 * Returns the text of the first file with this name at the top of an archive. No other file is unpacked, and
 * no name becomes a path. The unpacked bytes are counted, whatever the archive declares, so a zip bomb ends
 * at the limit.
 *
 * @param mostBytes maximum size of the file
 * @throws {UsageError} if this is not an archive, or if the file is missing or too large.
 */
export function textOfZip(archive: Uint8Array, name: string, mostBytes: number): string {
  const damaged = new UsageError("it is not a zip archive, or is damaged");
  if (BEGINNING.some((byte, index) => archive[index] !== byte)) throw damaged;
  const decoder = new TextDecoder();
  let state: "sought" | "begun" | "whole" = "sought";
  let text = "";
  let size = 0;
  const take = (file: UnzipFile): void => {
    if (file.name !== name || state !== "sought") return;
    state = "begun";
    file.ondata = (error, bytes, isLast) => {
      // The library catches errors thrown here and passes them in again
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
  throw state === "sought" ? new UsageError(`it contains no ${name}`) : damaged;
}
