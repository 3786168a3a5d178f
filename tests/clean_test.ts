/** `stampede clean` lists and removes the cache folder. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { Sandbox } from "./bench.ts";

Deno.test("clean lists what is in the cache folder, and removes it unless a run uses a build", async () => {
  await using sandbox = await Sandbox.create("shared");
  const cache = `${sandbox.folder}/cache`;
  const env = { XDG_CACHE_HOME: cache };
  match(
    (await sandbox.tell(["clean"], env)).stdout,
    /^There is nothing to remove in .*\/stampede$/m,
  );

  const builds = `${cache}/stampede/builds`;
  await Deno.mkdir(`${builds}/go-0123456789abcdef`, { recursive: true });
  await Deno.writeFile(`${builds}/go-0123456789abcdef/program`, new Uint8Array(3_000_000));
  await Deno.writeTextFile(`${builds}/go-0123456789abcdef.lock`, "");
  await Deno.writeTextFile(`${cache}/stampede/generators.json`, "{}");
  await Deno.writeTextFile(`${cache}/other`, "not Stampede's");

  const listed = await sandbox.tell(["clean", "--dry-run"], env);
  match(listed.stdout, /^In .*\/stampede:\n {2}builds +3 MB {2}servers that were built$/m);
  {
    using lock = await Deno.open(`${builds}/go-0123456789abcdef.lock`, { write: true });
    await lock.lock(false);
    const { code, stderr } = await sandbox.tell(["clean"], env);
    strictEqual(code, 1);
    match(stderr, /^Cannot remove .*\/builds: a run uses go-0123456789abcdef; stop it$/m);
  }
  strictEqual((await sandbox.tell(["clean"], env)).code, 0);
  const left = await Array.fromAsync(Deno.readDir(cache), ({ name }) => name);
  deepStrictEqual(left, ["other"]);
});
