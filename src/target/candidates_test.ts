import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { git } from "../process/git.ts";
import { ProcessScope } from "../process/scope.ts";
import { candidatesBetween } from "./candidates.ts";
import { readManifest } from "./catalog.ts";

const MANIFEST = { id: "shop", name: "Shop", language: "Perl", scenarios: {}, start: ["perl"] };
const ANN = ["-c", "user.name=Ann", "-c", "user.email=x@example.com"];

Deno.test("the candidates are the commits along first parents, and a merge says how to search inside", async () => {
  const top = await Deno.makeTempDir();
  await using scope = new ProcessScope();
  try {
    const folder = join(top, "shop");
    const run = async (...args: string[]): Promise<string> => {
      const output = await git(folder, [...ANN, ...args]);
      strictEqual(output === null, false, args.join(" "));
      return output ?? "";
    };
    const commit = async (title: string): Promise<string> => {
      await Deno.writeTextFile(join(folder, `${title}.txt`), title);
      await run("add", "-A");
      await run("commit", "-qm", title);
      return await run("rev-parse", "HEAD");
    };
    await Deno.mkdir(folder);
    await run("init", "-q", "-b", "main");
    await Deno.writeTextFile(join(folder, "server.json"), JSON.stringify(MANIFEST));
    const start = await commit("Start");
    await run("switch", "-qc", "topic");
    const inner = [await commit("Inner\tone"), await commit("Inner two")];
    await run("switch", "-q", "main");
    const one = await commit("One");
    await run("merge", "-q", "--no-ff", "-m", "Merge topic", "topic");
    const merge = await run("rev-parse", "HEAD");
    const last = await commit("Last");
    const server = await readManifest(folder);
    const context = {
      resolve: (path: string) => path,
      stop: new AbortController().signal,
      onCheckOut: () => {},
    };
    const { good, later, origin } = await candidatesBetween(server, [start, "HEAD"], context);
    strictEqual(origin, await Deno.realPath(folder));
    strictEqual(good.id, start);
    deepStrictEqual(later.map(({ id }) => id), [one, merge, last]);
    match(later[0].about, /^[0-9a-f]{7,} One by Ann, \d{4}-\d\d-\d\d$/);
    deepStrictEqual(later.map(({ inside }) => inside !== null), [false, true, false]);

    const [, fork = "", second = ""] =
      /^--good \$\(git merge-base (\S+ \S+)\) --bad (\S+)$/.exec(later[1]?.inside ?? "") ?? [];
    const base = await run("merge-base", ...fork.split(" "));
    const inside = await candidatesBetween(server, [base, second], context);
    deepStrictEqual(inside.later.map(({ id }) => id), inner);
    match(inside.later[0].label, / Inner one$/);

    const state = await later[0].state(scope);
    strictEqual(state.label, `Shop at ${one.slice(0, 12)}`);
    strictEqual(await Deno.readTextFile(join(state.server.folder, "One.txt")), "One");
    await rejects(Deno.stat(join(state.server.folder, "Last.txt")), Deno.errors.NotFound);
    await rejects(candidatesBetween(server, ["HEAD", start], context), {
      name: "UsageError",
      message:
        /^Cannot bisect: HEAD is not an ancestor of .*: it comes after it; exchange the two$/,
    });
  } finally {
    await Deno.remove(top, { recursive: true });
  }
});
