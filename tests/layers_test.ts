import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** What each folder may import of the others; errors.ts and model.ts are open to all but the server. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "src/server": [],
  "src/stats": [],
  "src/process": [],
  "src/plan": [],
  "src/machine": [],
  "src/analysis": ["src/load", "src/stats"],
  "src/report": ["src/analysis", "src/plan"],
  "scenarios": [],
  "src/database": ["src/process"],
  "src/load": ["src/process", "src/stats"],
  "src/target": ["src/process"],
  "src/conformance": ["src/database", "scenarios"],
  "src/session": [
    "src/analysis",
    "src/load",
    "src/machine",
    "src/plan",
    "src/process",
    "src/stats",
    "src/target",
  ],
  "src/cli": [
    "src/analysis",
    "src/conformance",
    "src/database",
    "src/load",
    "src/machine",
    "src/plan",
    "src/process",
    "src/report",
    "src/session",
    "src/target",
    "scenarios",
  ],
};
const OPEN = ["src/model.ts", "src/raw.ts", "src/findings.ts", "src/report.ts", "src/errors.ts"];
const CLOSED_TO = ["src/server", "src/stats"];

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(join(ROOT, folder))) {
    if (isDirectory) yield* sources(`${folder}/${name}`);
    else if (/(?<!_test)\.ts$/.test(name)) yield `${folder}/${name}`;
  }
}

async function wrongImports(folder: string): Promise<string[]> {
  const allowed = [folder, ...(MAY_IMPORT[folder] ?? [])];
  const wrong: string[] = [];
  for await (const file of sources(folder)) {
    const text = await Deno.readTextFile(join(ROOT, file));
    for (const [, path = ""] of text.matchAll(/(?:from|import\() ?"(\.[^"]+\.ts)"/g)) {
      const target = relative(ROOT, join(ROOT, dirname(file), path));
      const isOpen = OPEN.includes(target) && !CLOSED_TO.includes(folder);
      const isAllowed = allowed.some((other) => target.startsWith(`${other}/`));
      if (!isOpen && !isAllowed) wrong.push(`${file} imports ${target}`);
    }
  }
  return wrong;
}

Deno.test("every folder imports only what the architecture allows", async () => {
  for (const folder of Object.keys(MAY_IMPORT)) {
    deepStrictEqual(await wrongImports(folder), []);
  }
});

Deno.test("the model and the errors import nothing, the entry only the command line", async () => {
  for (const file of ["src/model.ts", "src/errors.ts"]) {
    strictEqual(/^import /m.test(await Deno.readTextFile(join(ROOT, file))), false, file);
  }
  const entry = await Deno.readTextFile(join(ROOT, "bench.ts"));
  const imports = [...entry.matchAll(/from "\.\/([^"]+)"/g)].map(([, path = ""]) => path);
  ok(imports.every((path) => path.startsWith("src/cli/") || OPEN.includes(path)), imports.join());
});

Deno.test("the rules name every folder", async () => {
  for await (const { name, isDirectory } of Deno.readDir(join(ROOT, "src"))) {
    if (isDirectory) ok(`src/${name}` in MAY_IMPORT, `src/${name} has no rule`);
  }
});

Deno.test("no source is longer than 250 lines", async () => {
  for (const folder of ["src", ...Object.keys(MAY_IMPORT)]) {
    for await (const file of sources(folder)) {
      const lines = (await Deno.readTextFile(join(ROOT, file))).split("\n").length - 1;
      ok(lines <= 250, `${file} has ${lines} lines`);
    }
  }
});
