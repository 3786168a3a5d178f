import { rejects, strictEqual } from "node:assert/strict";
import { readGivenFile } from "./given_file.ts";

Deno.test("a file is read whole, in whatever pieces it comes, and no further than it may be", async () => {
  const path = await Deno.makeTempFile();
  const text = "µ".repeat(300_000); // two bytes each, in pieces of any length
  await Deno.writeTextFile(path, text);
  strictEqual(await readGivenFile(path), text);
  strictEqual(await readGivenFile(path, 600_000), text);
  await rejects(readGivenFile(path, 599_999), /^Error: it has more than 0\.57\d+ MiB$/);
  await Deno.remove(path);
  await rejects(readGivenFile(path), Deno.errors.NotFound);
});

Deno.test({
  name: "a device without an end is no file",
  ignore: Deno.build.os === "windows",
  fn: () => rejects(readGivenFile("/dev/zero", 2 ** 20), /^Error: it has more than 1 MiB$/),
});
