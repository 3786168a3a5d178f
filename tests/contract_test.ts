import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../scenarios/mod.ts";
import { CHECKS } from "../src/conformance/conform.ts";
import type { Server } from "../src/model/server.ts";
import { readCatalog } from "../src/target/catalog.ts";
import { type Outcome, Sandbox } from "./bench.ts";

/** A check mostly waits for what a server does: so many servers are checked at a time. */
const AT_A_TIME = 4;

/** What `bench verify` printed of one server, by word: `pass`, `warn`, `FAIL` or `skip`. */
function linesOf(stdout: string, id: string): (word: string) => string[] {
  const lines = stdout.split("\n").flatMap((line) => {
    const [, word, server, text] = /^(pass|warn|FAIL|skip) {2}(\S+) (.*)$/.exec(line) ?? [];
    return server === id ? [{ word, text }] : [];
  });
  return (word) => lines.filter((line) => line.word === word).map(({ text = "" }) => text);
}

/** Verifies servers from a list that several work off, each with a database of its own. */
async function work(ids: string[], outcomes: Map<string, Outcome>): Promise<void> {
  await using sandbox = await Sandbox.create("shared");
  for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
    outcomes.set(id, await sandbox.run(["verify", "--servers", id]));
    deepStrictEqual(await sandbox.leftovers(), [], id);
  }
}

/** How much there is to check of a server: its scenarios, and what else applies to it. */
function checksOf(server: Server): number {
  const own = SCENARIOS.filter(({ id }) => id in server.scenarios);
  return own.reduce((sum, { checks }) => sum + checks.length, 0) +
    CHECKS.filter((check) => check.applies(server)).length;
}

/** Each server that can be had here is a step. */
Deno.test("every server keeps to the contract", async (t) => {
  const catalog = await readCatalog();
  const ids = [...catalog.keys()];
  const outcomes = new Map<string, Outcome>();
  await Promise.all(Array.from({ length: AT_A_TIME }, () => work(ids, outcomes)));
  // Some checks tell waiting from not waiting by the clock, which other programs hold up
  const failed = [...outcomes].filter(([, { code, stdout }]) =>
    code !== 0 && /^FAIL /m.test(stdout)
  )
    .map(([id]) => id);
  // deno-lint-ignore no-console -- that it took two tries has to be seen
  if (failed.length > 0) console.log(`Failed beside others, and verified again: ${failed.join()}`);
  await work(failed, outcomes);
  for (const [id, server] of catalog) {
    const { code, stdout, stderr } = outcomes.get(id) as Outcome;
    const of = linesOf(stdout, id);
    const [skipped] = of("skip");
    await t.step({
      name: skipped === undefined ? id : `${id} ${skipped}`,
      ignore: skipped !== undefined,
      fn(): void {
        deepStrictEqual(of("FAIL"), []);
        strictEqual(of("pass").length + of("warn").length, checksOf(server), stderr);
        match(
          stdout,
          new RegExp(`^${of("pass").length} passed, ${of("warn").length} warned, 0 failed$`, "m"),
        );
        strictEqual(code, 0, stderr);
      },
    });
  }
});
