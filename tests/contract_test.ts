import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { readCatalog } from "../src/target/catalog.ts";
import { Sandbox } from "./bench.ts";

/** What `bench verify` printed of one server, by word: `pass`, `warn`, `FAIL` or `skip`. */
function linesOf(stdout: string, id: string): (word: string) => string[] {
  const lines = stdout.split("\n").flatMap((line) => {
    const [, word, server, text] = /^(pass|warn|FAIL|skip) {2}(\S+) (.*)$/.exec(line) ?? [];
    return server === id ? [{ word, text }] : [];
  });
  return (word) => lines.filter((line) => line.word === word).map(({ text = "" }) => text);
}

/** All of them in one run, with one database; each one that can be had here is a step. */
Deno.test("every server keeps to the contract", async (t) => {
  const catalog = await readCatalog();
  await using sandbox = await Sandbox.create();
  const { code, stdout, stderr } = await sandbox.run(["verify", "--servers", "all"]);
  for (const { id } of catalog.values()) {
    const of = linesOf(stdout, id);
    const [skipped] = of("skip");
    await t.step({
      name: skipped === undefined ? id : `${id} ${skipped}`,
      ignore: skipped !== undefined,
      fn(): void {
        deepStrictEqual(of("FAIL"), []);
        ok(of("pass").length > 0, `Nothing was checked\n${stderr}`);
      },
    });
  }
  strictEqual(code, 0, stderr);
  deepStrictEqual(await sandbox.leftovers(), []);
});
