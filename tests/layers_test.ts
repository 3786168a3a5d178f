import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Allowed imports of each folder. All may import the model, except the system under test. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "src/model": [],
  "src/server": [],
  "src/stats": [],
  "src/process": [],
  "src/machine": ["src/process"],
  "scenarios": [],
  "src/database": ["src/process"],
  "src/load": ["src/process", "src/stats"],
  "src/target": ["src/process"],
  "src/conformance": ["src/database", "src/process", "scenarios"],
  "src/analysis": ["src/stats"],
  "src/experiment": ["src/analysis", "src/stats", "src/target", "scenarios"],
  "src/engine": [
    "src/analysis",
    "src/conformance",
    "src/database",
    "src/experiment",
    "src/load",
    "src/machine",
    "src/process",
    "src/stats",
    "src/target",
    "scenarios",
  ],
  "src/results": ["src/analysis"],
  "src/distributed": ["src/stats", "scenarios"],
  "src/project": [],
  "src/view": ["src/analysis", "src/experiment", "src/stats"],
  "src/ci": ["src/results", "src/view"],
  "src/cli": [
    "src/analysis",
    "src/ci",
    "src/database",
    "src/distributed",
    "src/engine",
    "src/experiment",
    "src/load",
    "src/machine",
    "src/process",
    "src/project",
    "src/results",
    "src/target",
    "src/view",
    "scenarios",
  ],
};
const CLOSED_TO = ["src/server"];

/** Entry points of other processes, which print their replies to Stampede or GitHub. */
const MAINS = [
  "src/load/generator.ts",
  "src/load/null_server_process.ts",
];
/** The script for k6, and the system under test, which is a separate program. */
const FOREIGN = ["src/load/tools/k6.ts", "src/server/"];
/** The only file that prints. */
const PRINTS = "src/cli/io.ts";
const PRINTING = /\bconsole\.|\bDeno\.(stdout|stderr)\b|(?<![#.])\bprocess\.(stdout|stderr)\b/;
/** The only file that reads arguments and ends the process, also at a second Ctrl-C. */
const ENDS = "src/cli/interruption.ts";
const COMMAND_LINE = /\bDeno\.(args|exit)\b|\bprocess\.(argv|exit)\b/;

/** The wall clock, which may be adjusted during a measurement. */
const WALL_CLOCK = /\bDate\.now\(/;
/** Files that need a date, or a clock on systems without another one. */
const BY_WALL_CLOCK = [
  "src/cli/commands/list_command.ts",
  "src/target/build.ts",
  "src/process/shared_clock.ts",
  "src/process/tls_client.ts",
  "src/conformance/http_checks.ts",
  "src/server/routes/plain.ts",
];

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(join(ROOT, folder))) {
    if (name.includes("testdata")) continue;
    if (isDirectory) yield* sources(`${folder}/${name}`);
    else if (/(?<!_test)\.ts$/.test(name)) yield `${folder}/${name}`;
  }
}

async function wrongImports(folder: string): Promise<string[]> {
  const allowed = [folder, ...(MAY_IMPORT[folder] ?? [])];
  if (!CLOSED_TO.includes(folder)) allowed.push("src/model");
  const wrong: string[] = [];
  for await (const file of sources(folder)) {
    const text = await Deno.readTextFile(join(ROOT, file));
    for (const [, path = ""] of text.matchAll(/(?:from|import\(?) ?"(\.[^"]+\.ts)"/g)) {
      const target = relative(ROOT, join(ROOT, dirname(file), path));
      if (file === "src/ci/action.ts" && target === "fetch.ts") continue; // an entry point
      if (!allowed.some((other) => target.startsWith(`${other}/`))) {
        wrong.push(`${file} imports ${target}`);
      }
    }
  }
  return wrong;
}

/** Returns the sources of Stampede's own process that match a pattern, except one. */
async function holding(pattern: RegExp, but: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of sources("src")) {
    if ([but, ...MAINS, ...FOREIGN].some((other) => file.startsWith(other))) continue;
    const text = await Deno.readTextFile(join(ROOT, file));
    if (pattern.test(text)) found.push(file);
  }
  return found;
}

Deno.test("every folder imports only what the architecture allows", async () => {
  for (const folder of Object.keys(MAY_IMPORT)) {
    deepStrictEqual(await wrongImports(folder), []);
  }
});

Deno.test("the entry imports only the command line, after its modules were fetched", async () => {
  const entry = await Deno.readTextFile(join(ROOT, "bench.ts"));
  const imports = [...entry.matchAll(/(?:from|import|load\() ?"\.\/([^"]+)"/g)]
    .map(([, path = ""]) => path);
  strictEqual(imports.shift(), "fetch.ts");
  ok(imports.length > 0 && imports.every((path) => path.startsWith("src/cli/")), imports.join());
});

Deno.test("what fetches the modules needs none of them", async () => {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", join(ROOT, "fetch.ts")],
    stderr: "null",
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout));
  const specifiers = (modules as { specifier: string }[]).map(({ specifier }) => specifier);
  strictEqual(code, 0);
  ok(specifiers.length > 1);
  // An installed package is a file in node_modules
  const isPackage = (one: string): boolean =>
    !/^(file|node):/.test(one) || /\/node_modules\//.test(one);
  deepStrictEqual(specifiers.filter(isPackage), []);
});

Deno.test("one place prints, and the programs that Stampede starts answer by printing", async () => {
  deepStrictEqual(await holding(PRINTING, PRINTS), []);
  for (const file of [PRINTS, ...MAINS]) {
    ok(PRINTING.test(await Deno.readTextFile(join(ROOT, file))), `${file} does not print`);
  }
});

Deno.test("nothing in src but programs of their own reads arguments, or ends the process", async () => {
  deepStrictEqual(await holding(COMMAND_LINE, ENDS), []);
});

Deno.test("no length of time is measured by the clock that people set", async () => {
  const found: string[] = [];
  for await (const file of sources("src")) {
    const text = await Deno.readTextFile(join(ROOT, file));
    if (WALL_CLOCK.test(text)) found.push(file);
  }
  deepStrictEqual(found.sort(), [...BY_WALL_CLOCK].sort());
});

Deno.test("the rules name every folder", async () => {
  for await (const { name, isDirectory } of Deno.readDir(join(ROOT, "src"))) {
    strictEqual(!isDirectory || `src/${name}` in MAY_IMPORT, true, `src/${name} has no rule`);
  }
});
