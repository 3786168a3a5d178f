/**
 * Reads the report that another run left as an artifact. It may come from a stranger, so every byte
 * may be hostile.
 */
import { Unzip, UnzipInflate } from "fflate";
import { Failure, messageOf, UsageError } from "../model/errors.ts";
import type { Report } from "../model/report.ts";
import { reportOf } from "../results/read_report.ts";
import type { Api } from "./api.ts";
import { at } from "./runner.ts";

/** The only file of the artifact that is read. */
export const REPORT_FILE = "report.json";
/** Maximum sizes of an artifact and its report, in bytes: enough for thirty rounds of eight scenarios. */
const MOST_ARCHIVE_BYTES = 5_000_000;
const MOST_REPORT_BYTES = 20_000_000;
/** Size of a piece to unpack, in bytes. It expands at most a thousandfold: 8 MB beyond the limit. */
const PIECE_BYTES = 8192;
/**
 * Bytes with which every archive begins: APPNOTE 4.3.7,
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
const BEGINNING = [0x50, 0x4b, 0x03, 0x04];

/** Returns the name of the artifact for an id; action.yml uses the same. */
export function artifactOf(id: string): string {
  return `stampede-${id}`;
}

/**
 * Downloads the report of a run; returns null if the run left none. The timeout is in milliseconds.
 *
 * @throws {Failure} if GitHub does not provide it.
 * @throws {UsageError} if it is not a report.
 */
export async function reportOfRun(
  api: Api,
  runId: number,
  name: string,
  timeoutMs: number,
): Promise<Report | null> {
  const needs = "actions: read";
  const actions = `/repos/${api.repository}/actions`;
  const listed = await api.json({
    what: "list the artifacts of the run",
    needs,
    path: `${actions}/runs/${runId}/artifacts?per_page=100&name=${encodeURIComponent(name)}`,
  });
  const artifacts = at(listed, "artifacts");
  // The newest one comes from the last attempt of the run
  const [newest] = (Array.isArray(artifacts) ? artifacts : [])
    .filter((one) => at(one, "name") === name && at(one, "expired") !== true)
    .sort((a, b) => Number(at(b, "id")) - Number(at(a, "id")));
  const id = at(newest, "id");
  if (typeof id !== "number") return null;
  const size = at(newest, "size_in_bytes");
  try {
    if (typeof size === "number") refuseLarge(size);
    const place = await api.place({
      what: "download the report of the run",
      needs,
      path: `${actions}/artifacts/${id}/zip`,
    });
    const archive = await download(place, name, timeoutMs);
    const report = reportOf(textOfZip(archive, REPORT_FILE, MOST_REPORT_BYTES), REPORT_FILE);
    if (report.kind === "run") return report;
    throw new UsageError("it is not the report of a run");
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new UsageError(`Cannot use the artifact ${name}: ${messageOf(error)}`);
  }
}

function refuseLarge(bytes: number): void {
  if (bytes <= MOST_ARCHIVE_BYTES) return;
  throw new UsageError(`it is larger than ${MOST_ARCHIVE_BYTES / 1e6} MB`);
}

/** Downloads a file without the token, up to the size limit. */
async function download(place: URL, name: string, timeoutMs: number): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    const response = await fetch(place, {
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Failure(`the download answered ${response.status}`);
    }
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      // Leaving the loop ends the download
      refuseLarge(size);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new Failure(`Cannot download the artifact ${name}: ${messageOf(error)}`);
  }
  return await new Blob(chunks).bytes();
}

/**
 * Returns the text of the first file with this name at the top of an archive. No other file is unpacked, and
 * no name becomes a path. The unpacked bytes are counted, whatever the archive declares, so a zip bomb ends
 * at the limit.
 *
 * @throws {UsageError} if this is not an archive, or if the file is missing or too large.
 */
export function textOfZip(archive: Uint8Array, name: string, mostBytes: number): string {
  const damaged = new UsageError("it is not a zip archive, or is damaged");
  if (BEGINNING.some((byte, index) => archive[index] !== byte)) throw damaged;
  const decoder = new TextDecoder();
  let state: "sought" | "begun" | "whole" = "sought";
  let text = "";
  let size = 0;
  const unzip = new Unzip((file) => {
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
  });
  unzip.register(UnzipInflate);
  const isWhole = (): boolean => state === "whole";
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
