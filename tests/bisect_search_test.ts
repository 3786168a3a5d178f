import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Sandbox, until, untilNothingIsLeft } from "./bench.ts";
import { git, history, stateOf } from "./history.ts";

/** Fast rounds with one connection; the slowdown is so large that the usual rounds decide. */
const FAST = ["-z", "0.5", "--warmup", "0.1", "-c", "1", "--rounds", "10"];

Deno.test("stampede bisect finds the slow commit, past one that does not start, after a kill and a Ctrl-C", async () => {
  await using sandbox = await Sandbox.create();
  const folder = await history(
    `${sandbox.folder}/repository`,
    [0, 0, 0, 0, null, 0, 300, 300, 300],
    "mine",
  );
  const before = await stateOf(folder);
  const range = ["--good", "start", "--bad", "HEAD"];
  const args = ["bisect", "json", "--server", folder, ...range, ...FAST];

  const killed = sandbox.start(args);
  await until(() => /^Step 2: /m.test(killed.written()), killed.written);
  killed.process.kill("SIGKILL");
  await killed.outcome;
  await untilNothingIsLeft(sandbox);

  const stopped = sandbox.start(args);
  await until(() => /^Last: /m.test(stopped.written()), stopped.written);
  stopped.process.kill("SIGINT");
  const { code, stderr } = await stopped.outcome;
  strictEqual(code, 130, stderr);
  match(stderr, /^Continuing after 2 measurements of an interrupted bisection/m);
  match(stderr, /^The same command continues after [45] measurements$/m);
  await untilNothingIsLeft(sandbox);

  const { stdout, stderr: problems } = await sandbox.run(["history"]);
  ok(!/bisect-/.test(stdout + problems), "its file is no report");

  const last = await sandbox.run(args);
  strictEqual(last.code, 0, last.stdout + last.stderr);
  match(last.stderr, /^Continuing after [45] measurements/m);
  match(
    last.stdout,
    /^[0-9a-f]{7,} Number 6 by Ann, \d{4}-\d\d-\d\d: json [+−][\d.]+ % .* \(.* to .*\)$/m,
  );
  match(last.stdout, /^ +1 +[0-9a-f]+ Number 4 +– +skipped/m);
  match(last.stdout, /^ +2 +[0-9a-f]+ Number [35] .* as good/m);
  deepStrictEqual(await sandbox.leftovers(), []);
  deepStrictEqual(await stateOf(folder), before);
  const files = await Array.fromAsync(Deno.readDir(`${sandbox.folder}/results`));
  deepStrictEqual(files.filter(({ name }) => name.startsWith("bisect-")), []);
});

Deno.test("stampede bisect says that nothing became slower, and that a commit that must work does not", async () => {
  await using sandbox = await Sandbox.create();
  const folder = await history(`${sandbox.folder}/repository`, [0, 0, 0, null], "mine");
  const args = ["bisect", "text", "--server", folder, "--good", "start", ...FAST];
  const same = await sandbox.run([...args, "--bad", "HEAD~1", "--fail-on", "50%", "--json"]);
  const outcome = JSON.parse(same.stdout);
  strictEqual(outcome.candidates, 2);
  // A busy machine can make every figure of such a short run incomparable
  strictEqual(same.code, outcome.outcome === "unchanged" ? 0 : 3, same.stdout);
  const broken = await sandbox.run([...args, "--bad", "HEAD"]);
  strictEqual(broken.code, 1, broken.stdout + broken.stderr);
  match(
    broken.stderr,
    /^Cannot bisect text \(base: .*, head: Mine at [0-9a-f]{12}\): failed in head: .*It is broken/m,
  );
  const without = await git(folder, "rev-list", "--count", "HEAD");
  strictEqual(without.trim(), "4");
  deepStrictEqual(await sandbox.leftovers(), []);
});
