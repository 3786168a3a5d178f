import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import type { CommandName } from "../src/cli/options/option_spec.ts";
import { WRITTEN_FILES } from "./written_files.ts";
import { Sandbox } from "./bench.ts";

/** Returns every file in a folder, by relative path. */
async function filesIn(folder: string, prefix = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, prefix))) {
    const path = prefix === "" ? name : `${prefix}/${name}`;
    if (isDirectory) found.push(...await filesIn(folder, path));
    else found.push(path);
  }
  return found.sort();
}

/** Returns the table's path under which a command may write this file, or null. */
function entryOf(path: string, command: CommandName): string | null {
  const entry = WRITTEN_FILES.find((one) => {
    const parts = one.path.split(/<[^>]+>/).map((part) => RegExp.escape(part));
    return one.by.includes(command) && new RegExp(`^${parts.join("[^/]+")}$`).test(path);
  });
  return entry?.path ?? null;
}

Deno.test("what commands write is in the table of the reference, and nothing else", async () => {
  await using sandbox = await Sandbox.create();
  const { folder } = sandbox;
  await Deno.writeTextFile(`${folder}/package.json`, "{}");
  const known = new Set(await filesIn(folder));
  const used = new Set<string>();
  const demand = async (command: CommandName, code: number, stderr: string): Promise<void> => {
    strictEqual(code, 0, stderr);
    for (const path of await filesIn(folder)) {
      if (known.has(path)) continue;
      known.add(path);
      used.add(entryOf(path, command) ?? `${command} writes ${path}`);
    }
  };
  const run = await sandbox.run(["text", "--quick", "-z", "0.5", "--warmup", "0.1"]);
  await demand("run", run.code, run.stderr);
  for (const command of ["history", "site", "init"] as const) {
    const { code, stderr } = await sandbox.tell([command]);
    await demand(command, code, stderr);
  }
  deepStrictEqual([...used].sort(), [
    ".github/actions/stampede/action.yml",
    ".github/workflows/stampede.yml",
    "results/<time>-<id>.json",
    "results/index.jsonl",
    "site/badge.svg",
    "site/index.html",
    "site/runs/<report>.html",
    "site/runs/<report>.json",
    "site/servers/<server>.html",
    "stampede/<id>/server.json",
    "stampede/first.js",
  ]);
});

Deno.test("the table of files does not know a file that no command writes", () => {
  strictEqual(entryOf("results/a/b.json", "run"), null);
  strictEqual(entryOf("site/index.html", "run"), null);
  match(entryOf("site/index.html", "site") ?? "", /^site/);
});
