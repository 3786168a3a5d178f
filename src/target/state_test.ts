import { match, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { git } from "../process/git.ts";
import { ProcessScope } from "../process/scope.ts";
import { readManifest } from "./catalog.ts";
import { findState } from "./state.ts";

const MANIFEST = { id: "shop", name: "Shop", language: "Perl", scenarios: {}, start: ["perl"] };
const WHO = ["-c", "user.name=x", "-c", "user.email=x@example.com"];

Deno.test("sources from before there was a manifest are measured by the one of now", async () => {
  const folder = await Deno.makeTempDir();
  await using scope = new ProcessScope();
  try {
    const commit = async (): Promise<void> => {
      await git(folder, ["add", "-A"]);
      await git(folder, [...WHO, "commit", "-qm", "x"]);
    };
    await git(folder, ["init", "-q"]);
    await Deno.writeTextFile(join(folder, "main.pl"), "then");
    await commit();
    const own = join(folder, "stampede", "shop");
    await Deno.mkdir(own, { recursive: true });
    const manifest = JSON.stringify({ id: "shop", extends: "../base" });
    await Deno.writeTextFile(join(own, "server.json"), manifest);
    await Deno.mkdir(join(folder, "stampede", "base"));
    const base = JSON.stringify({ ...MANIFEST, sources: "../.." });
    await Deno.writeTextFile(join(folder, "stampede", "base", "server.json"), base);
    await Deno.writeTextFile(join(folder, "main.pl"), "now");
    await commit();
    const server = await readManifest(own);
    const context = {
      scope,
      resolve: (path: string) => path,
      stop: new AbortController().signal,
      onCheckOut: () => {},
    };
    const then = await findState(server, "HEAD~1", context);
    match(then.label, /^Shop at HEAD~1 \([0-9a-f]{12}\), with the current manifest$/);
    const source = join(then.server.folder, then.server.sources, "main.pl");
    strictEqual(await Deno.readTextFile(source), "then");
    match((await findState(server, "HEAD", context)).label, /^Shop at HEAD \([0-9a-f]{12}\)$/);
    const elsewhere = { ...server, sources: "../../gone" };
    await rejects(findState(elsewhere, "HEAD~1", context), {
      name: "UsageError",
      message: /^Cannot compare with HEAD~1 of .*: Cannot read the manifest stampede\/shop/,
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
