import { match, strictEqual } from "node:assert/strict";
import { git } from "./git.ts";

Deno.test("git prints what it is asked for, and nothing where it fails", async () => {
  const folder = await Deno.makeTempDir();
  match(await git(folder, ["--version"]) ?? "", /^git version \S+$/);
  strictEqual(await git(folder, ["rev-parse", "HEAD"]), null, "no repository");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("git prints nothing where it is not there", async () => {
  strictEqual(await git(".", ["--version"], { PATH: "/nowhere" }), null);
});
