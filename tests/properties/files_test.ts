import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { readPreset } from "../../src/experiment/preset.ts";
import { UsageError } from "../../src/model/errors.ts";
import { FORMAT } from "../../src/model/report.ts";
import { readHistory } from "../../src/results/run_index.ts";
import { readReport } from "../../src/results/read_report.ts";
import { writeReport } from "../../src/results/store.ts";
import { readManifest } from "../../src/target/catalog.ts";
import { REPORT } from "../../src/view/report_testdata.ts";
import { accepted, damagedJson, damagedText, holds } from "./inputs.ts";

const ROOT = new URL("../../", import.meta.url);
const PRESET: unknown = JSON.parse(await textOf("presets/mighty-node.json"));
const MANIFEST: unknown = JSON.parse(await textOf("peers/flask/server.json"));

function textOf(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, ROOT));
}

/** A folder that is removed after the tests, with a subfolder named like a server */
const folder = await Deno.makeTempDir({ prefix: "stampede-tests-" });
const server = join(folder, "flask");
await Deno.mkdir(server);
globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));

/** Generates damaged JSON files. */
function damagedFile(whole: unknown): fc.Arbitrary<string> {
  return fc.oneof(
    damagedJson(whole).map((value) => JSON.stringify(value)),
    damagedText(JSON.stringify(whole)),
    fc.json(),
    fc.string(),
  );
}

/** Reads a file; an error must name the file in one line. */
async function readFrom<T>(
  path: string,
  text: string,
  read: (path: string) => Promise<T>,
): Promise<T | undefined> {
  await Deno.writeTextFile(path, text);
  return await accepted(async () => {
    try {
      return await read(path);
    } catch (error) {
      if (error instanceof UsageError) {
        ok(error.message.includes(path), error.message);
        ok(!error.message.includes("\n"), error.message);
      }
      throw error;
    }
  }, UsageError);
}

holds("a damaged report is refused, or whole", damagedFile(REPORT), async (text) => {
  const read = await readFrom(join(folder, "report.json"), text, readReport);
  if (read === undefined) return;
  const copy = join(folder, "copy.json");
  await writeReport(copy, read);
  deepStrictEqual(await readReport(copy), JSON.parse(JSON.stringify(read)));
});

holds("a damaged preset is refused, or whole", damagedFile(PRESET), async (text) => {
  const path = join(folder, "preset.json");
  const preset = await readFrom(path, text, readPreset);
  if (preset === undefined) return;
  deepStrictEqual(await readFrom(path, JSON.stringify(preset), readPreset), preset);
});

holds("a damaged manifest is refused, or whole", damagedFile(MANIFEST), async (text) => {
  const manifest = await readFrom(join(server, "server.json"), text, readManifest);
  if (manifest === undefined) return;
  strictEqual(manifest.id, "flask");
  const { path } = manifest.ready;
  strictEqual(new URL(`http://127.0.0.1:1${path}`).host, "127.0.0.1:1");
});

const LINE = JSON.stringify({
  format: FORMAT,
  file: "a.json",
  createdAt: "2026-11-22T10:00:00.000Z",
  commit: null,
  kind: "run",
  complete: true,
  results: [],
});

holds("a damaged index is no reason to fail", damagedText(`${LINE}\n${LINE}\n`), async (text) => {
  const results = join(folder, "results");
  await Deno.mkdir(results, { recursive: true });
  await writeReport(join(results, "a.json"), REPORT);
  await Deno.writeTextFile(join(results, "index.jsonl"), text);
  deepStrictEqual((await readHistory({ folder, results: "results" })).map(({ file }) => file), [
    "a.json",
  ]);
});

Deno.test("the report that properties begin with is whole", async () => {
  ok(await readFrom(join(folder, "report.json"), JSON.stringify(REPORT), readReport));
});
