import { strictEqual, throws } from "node:assert/strict";
import { Zip, ZipDeflate, ZipPassThrough, zipSync } from "fflate";
import { textOfZip } from "./api.ts";

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
  throws(() => read(bytes("no zip")), /it is not a zip archive, or is damaged/);
  throws(() => read(new Uint8Array()), /it is not a zip archive/);
  throws(() => read(zipSync({ "report.json": bytes("x".repeat(500)) }).subarray(20)), /./);
  throws(() => read(zipSync({ "../report.json": bytes("{}") })), /it contains no report\.json/);
  const bomb = zipSync({ "report.json": new Uint8Array(20_000_000) });
  strictEqual(bomb.length < 40_000, true);
  throws(() => read(bomb), /its report\.json is larger than 0\.001 MB/);
});

Deno.test("an archive that lies about its size ends at the limit, however much is in it", () => {
  const archive = zipSync({ "report.json": new Uint8Array(20_000_000) });
  const view = new DataView(archive.buffer, archive.byteOffset);
  // Sizes are at byte 22 of the file's own header, and 24 of the directory's: APPNOTE 4.3.7, 4.3.12
  view.setUint32(22, 10, true);
  const entry = archive.findLastIndex((_, at) =>
    at + 4 < archive.length && view.getUint32(at, true) === 0x02014b50
  );
  view.setUint32(entry + 24, 10, true);
  throws(() => read(archive), /its report\.json is larger than 0\.001 MB/);
});

Deno.test("an archive whose sizes come after the files is read: so does actions/upload-artifact", () => {
  for (const kind of [ZipDeflate, ZipPassThrough]) {
    const parts: Uint8Array[] = [];
    const zip = new Zip((_, part) => void parts.push(part));
    for (
      const [name, text] of [["other.txt", "x".repeat(50_000)], ["report.json", "{}"]] as const
    ) {
      const file = new kind(name);
      zip.add(file);
      file.push(bytes(text), true);
    }
    zip.end();
    const archive = new Uint8Array(parts.flatMap((part) => [...part]));
    strictEqual(new DataView(archive.buffer).getUint16(6, true) & 8, 8, "sizes come after");
    strictEqual(read(archive), "{}");
    throws(() => read(archive.subarray(0, archive.length - 180)), /./);
  }
});

Deno.test("of two files of one name the first counts, so that only one is ever unpacked", () => {
  const archive = zipSync({ "report.json": bytes("one"), "report.jsoM": bytes("two") });
  for (let at = 0; at < archive.length; at++) {
    if (archive[at] === "M".charCodeAt(0)) archive[at] = "n".charCodeAt(0);
  }
  strictEqual(read(archive), "one");
});
