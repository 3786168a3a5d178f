import { strictEqual, throws } from "node:assert/strict";
import { zipSync } from "fflate";
import { textOfZip } from "./zip.ts";

const MOST = 1000;
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const read = (archive: Uint8Array): string => textOfZip(archive, "report.json", MOST);

Deno.test("the one file is read, and no name in the archive is a path", () => {
  const archive = zipSync({
    "../../report.json": bytes("above"),
    "/report.json": bytes("root"),
    "x/report.json": bytes("below"),
    "report.json": bytes('{"a":"ü"}'),
    "__proto__": bytes("x"),
  });
  strictEqual(read(archive), '{"a":"ü"}');
});

Deno.test("what is no archive, has no report, or a large one, is refused", () => {
  throws(() => read(bytes("no zip")), /it is no zip archive, or a damaged one/);
  throws(() => read(new Uint8Array()), /it is no zip archive/);
  throws(() => read(zipSync({ "report.json": bytes("x".repeat(500)) }).subarray(20)), /./);
  throws(() => read(zipSync({ "../report.json": bytes("{}") })), /there is no report\.json in it/);
  const bomb = zipSync({ "report.json": new Uint8Array(100_000_000) });
  strictEqual(bomb.length < 200_000, true);
  throws(() => read(bomb), /its report\.json is larger than 0\.001 MB/);
});

Deno.test("an archive that lies about its size gets no more room than it claims", () => {
  const archive = zipSync({ "report.json": new Uint8Array(10_000_000).fill(32) });
  // The uncompressed size is at byte 24 of the directory's entry: APPNOTE 4.3.12
  const view = new DataView(archive.buffer, archive.byteOffset);
  const entry = archive.findIndex((_, at) =>
    at + 4 < archive.length && view.getUint32(at, true) === 0x02014b50
  );
  view.setUint32(entry + 24, 10, true);
  let text = "";
  try {
    text = read(archive);
  } catch {
    return;
  }
  strictEqual(text.length <= 10, true);
});

Deno.test("of two files of one name the first counts, so that only one is ever unpacked", () => {
  const archive = zipSync({ "report.json": bytes("one"), "report.jsoM": bytes("two") });
  for (let at = 0; at < archive.length; at++) {
    if (archive[at] === "M".charCodeAt(0)) archive[at] = "n".charCodeAt(0);
  }
  strictEqual(read(archive), "one");
});
