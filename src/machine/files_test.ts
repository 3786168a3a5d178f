import { strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { isOnPath, listFolder, readText } from "./files.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

Deno.test("what cannot be read is null", async () => {
  strictEqual(await readText(FOLDER), null);
  strictEqual(await readText(`${FOLDER}none`), null);
  strictEqual(await listFolder(`${FOLDER}none`), null);
  strictEqual((await listFolder(FOLDER))?.includes("files.ts"), true);
});

Deno.test({
  name: "isOnPath finds programs, and neither folders nor other files",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    const path = Deno.env.get("PATH") ?? "";
    Deno.env.set("PATH", `${FOLDER}:${FOLDER}..:${path}`);
    try {
      strictEqual(await isOnPath("sh"), true);
      strictEqual(await isOnPath("files.ts"), false);
      strictEqual(await isOnPath("machine"), false);
      strictEqual(await isOnPath("stampede-has-no-such-program"), false);
    } finally {
      Deno.env.set("PATH", path);
    }
  },
});
