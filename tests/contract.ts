import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { SCENARIOS } from "../scenarios/mod.ts";
import { checksFor } from "../src/conformance/conform.ts";
import type { Server } from "../src/model/server.ts";
import { readCatalog } from "../src/target/catalog.ts";
import { type Outcome, Sandbox } from "./bench.ts";

/** Number of servers that are checked at the same time. A check mostly waits. */
const AT_A_TIME = 4;

/** Returns the lines of `stampede verify` for a server with a word: `pass`, `warn`, `FAIL` or `skip`. */
function linesOf(stdout: string, id: string): (word: string) => string[] {
  const lines = stdout.split("\n").flatMap((line) => {
    const [, word, server, text] = /^(pass|warn|FAIL|skip) {2}(\S+) (.*)$/.exec(line) ?? [];
    return server === id ? [{ word, text }] : [];
  });
  return (word) => lines.filter((line) => line.word === word).map(({ text = "" }) => text);
}

/** Verifies servers in turn, with a separate database. */
async function verify(ids: readonly string[]): Promise<Outcome> {
  await using sandbox = await Sandbox.create("shared");
  const outcome = await sandbox.run(["verify", "--servers", ids.join(",")]);
  deepStrictEqual(await sandbox.leftovers(), [], ids.join());
  return outcome;
}

/** Returns the number of checks of a server, as an estimate: its scenarios, and the other checks. */
function checksOf(server: Server): number {
  const own = SCENARIOS.filter(({ id }) => id in server.scenarios);
  return own.reduce((sum, { checks }) => sum + checks.length, 0) +
    checksFor(server).length;
}

/**
 * Verifies servers, each as a step of the test.
 *
 * @param isWanted selects the servers
 */
export async function keepToContract(
  t: Deno.TestContext,
  isWanted: (server: Server) => boolean,
): Promise<void> {
  const catalog = new Map([...await readCatalog()].filter(([, server]) => isWanted(server)));
  const ids = [...catalog.keys()];
  ok(ids.length > 0);
  const groups = Array.from(
    { length: AT_A_TIME },
    (_, i) => ids.filter((_id, k) => k % AT_A_TIME === i),
  );
  const told = await Promise.all(groups.map(verify));
  const outcomes = new Map(
    groups.flatMap((group, i) => group.map((id) => [id, told[i] as Outcome] as const)),
  );
  // Some checks measure waiting by the clock, and other programs delay them
  const failed = ids.filter((id) => linesOf(outcomes.get(id)?.stdout ?? "", id)("FAIL").length > 0);
  // deno-lint-ignore no-console -- a second attempt must be visible
  if (failed.length > 0) console.log(`Failed beside others, and verified again: ${failed.join()}`);
  for (const id of failed) outcomes.set(id, await verify([id]));
  for (const [id, server] of catalog) {
    const { stdout, stderr } = outcomes.get(id) as Outcome;
    const of = linesOf(stdout, id);
    const [skipped] = of("skip");
    await t.step({
      name: skipped === undefined ? id : `${id} ${skipped}`,
      ignore: skipped !== undefined,
      fn(): void {
        deepStrictEqual(of("FAIL"), []);
        strictEqual(of("pass").length + of("warn").length, checksOf(server), stderr);
      },
    });
  }
  for (const { code, stdout, stderr } of outcomes.values()) {
    const count = (word: string): number =>
      stdout.match(new RegExp(`^${word}  `, "gm"))?.length ?? 0;
    const failed = count("FAIL");
    match(
      stdout,
      new RegExp(`^${count("pass")} passed, ${count("warn")} warned, ${failed} failed`, "m"),
    );
    strictEqual(code, failed === 0 ? 0 : 1, stderr);
  }
}
