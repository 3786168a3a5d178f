import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { digest, readSources, writeSources } from "./sources.ts";

Deno.test("sources are all files but what people and tools make of them", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const sources = ["Cargo.toml", "main.rs", "server/routes.rs", "src/target/mod.rs"];
    const made = [
      "target/debug/app",
      "node_modules/x/index.js",
      ".git/HEAD",
      "results/a.json",
      ".stampede/x",
    ];
    for (const path of [...sources, ...made]) {
      await Deno.mkdir(join(folder, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(folder, path), path);
    }
    const found = await readSources(folder);
    deepStrictEqual(found.map(({ path }) => path), sources);
    await writeSources(found, join(folder, "copy"));
    const copied = await readSources(join(folder, "copy"));
    strictEqual(digest(copied, {}), digest(found, {}));
    notStrictEqual(digest(found.slice(1), {}), digest(found, {}));
    notStrictEqual(digest(found, { command: "another" }), digest(found, {}));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
