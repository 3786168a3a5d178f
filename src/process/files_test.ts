import { ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { listFolder, readText, which } from "./files.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

Deno.test("what cannot be read is null", () => {
  strictEqual(readText(FOLDER), null);
  strictEqual(readText(`${FOLDER}none`), null);
  strictEqual(listFolder(`${FOLDER}none`), null);
  strictEqual(listFolder(FOLDER)?.includes("files.ts"), true);
});

Deno.test({
  name: "which finds programs, and neither folders nor other files",
  ignore: Deno.build.os === "windows",
  fn(): void {
    const path = Deno.env.get("PATH") ?? "";
    Deno.env.set("PATH", `${FOLDER}:${FOLDER}..:${path}`);
    try {
      ok(which("sh")?.endsWith("/sh"));
      strictEqual(which("files.ts"), null);
      strictEqual(which("process"), null);
      strictEqual(which("stampede-has-no-such-program"), null);
    } finally {
      Deno.env.set("PATH", path);
    }
  },
});
