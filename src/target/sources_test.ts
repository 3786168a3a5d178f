import { deepStrictEqual, notStrictEqual, rejects, strictEqual } from "node:assert/strict";
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

Deno.test({
  name: "pipes and devices are no sources, and a file that is too large is named",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.symlink("/dev/zero", join(folder, "zero"));
      await new Deno.Command("mkfifo", { args: [join(folder, "pipe")] }).output();
      await Deno.writeTextFile(join(folder, "main.rs"), "");
      deepStrictEqual((await readSources(folder)).map(({ path }) => path), ["main.rs"]);
      await Deno.truncate(join(folder, "main.rs"), 2 ** 30);
      await rejects(readSources(folder), {
        name: "Failure",
        message: /^Cannot read the source .*main\.rs: it has more than 256 MiB$/,
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
