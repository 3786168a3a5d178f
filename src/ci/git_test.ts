import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { addToHistory } from "./git.ts";
import { git, gitServer, temporary, type TestWorld, testWorld } from "./ci_testdata.ts";

/** Makes a site with the names of the reports, instead of `stampede site`. */
async function site(args: readonly string[], folder: string): Promise<number> {
  deepStrictEqual(args, ["site", "results/", "--out", "site/"]);
  const names = await Array.fromAsync(Deno.readDir(`${folder}/results`), ({ name }) => name);
  await Deno.mkdir(`${folder}/site`, { recursive: true });
  await Deno.writeTextFile(`${folder}/site/index.html`, names.sort().join());
  return 0;
}

async function add(
  day: number,
  { folder, url, bench = site, keep = 200 }: {
    readonly folder: string;
    readonly url: string;
    readonly bench?: typeof site;
    readonly keep?: number;
  },
): Promise<TestWorld> {
  const path = `${folder}/report.json`;
  await Deno.writeTextFile(path, `{"day":${day}}`);
  const world = testWorld({ GITHUB_SERVER_URL: url }, { bench });
  const name = `2026-11-0${day}.json`;
  const entry = { historyBranch: "stampede", path, name, keep, message: `Day ${day}`, token: "" };
  await addToHistory(entry, world);
  return world;
}

const filesOf = async (repository: string): Promise<string[]> =>
  (await git(repository, "ls-tree", "-r", "--name-only", "stampede")).split("\n");

Deno.test("the branch is created without a past, added to, and holds so many reports", async () => {
  await using folder = await temporary();
  const { url, repository } = await gitServer(folder.path);
  const at = { folder: folder.path, url };
  await add(1, at);
  deepStrictEqual(await filesOf(repository), [
    ".nojekyll",
    "results/2026-11-01.json",
    "site/index.html",
  ]);
  match(
    await git(repository, "log", "--format=%an|%s|%P", "stampede"),
    /^github-actions\[bot\]\|Day 1\|$/,
  );
  await add(2, at);
  await add(3, { ...at, keep: 2 });
  deepStrictEqual((await filesOf(repository)).filter((name) => name.startsWith("results/")), [
    "results/2026-11-02.json",
    "results/2026-11-03.json",
  ]);
  strictEqual(
    await git(repository, "show", "stampede:site/index.html"),
    "2026-11-02.json,2026-11-03.json",
  );
  strictEqual(await git(repository, "log", "--format=%s", "stampede"), "Day 3\nDay 2\nDay 1");
  // Adding the same report again changes nothing
  await add(3, { ...at, keep: 2 });
  strictEqual(await git(repository, "rev-list", "--count", "stampede"), "3");
});

Deno.test("somebody else's push in between is kept: all begins again with theirs", async () => {
  await using folder = await temporary();
  const { url } = await gitServer(folder.path);
  const at = { folder: folder.path, url };
  const repository = `${folder.path}/owner/shop`;
  for (const first of [1, 4]) {
    let others = 0;
    // In the first attempt, the branch does not exist yet when they push
    const world = await add(first + 2, {
      ...at,
      bench: async (args, inner) => {
        if (others++ < 2) {
          await using other = await temporary();
          await add(first + others - 1, { folder: other.path, url });
        }
        return await site(args, inner);
      },
    });
    strictEqual(others, 3);
    match(world.log.join("\n"), /^(::notice .*Another job has pushed to stampede: .*\n?){2}$/);
  }
  const reports = (await filesOf(repository)).filter((name) => name.startsWith("results/"));
  strictEqual(reports.length, 6, reports.join());
});

Deno.test("what cannot be kept is one line, and leaves neither a branch nor a folder", async () => {
  await using folder = await temporary();
  const { url, repository } = await gitServer(folder.path);
  const at = { folder: folder.path, url };
  let inner = "";
  const failing = (_: readonly string[], folder: string): Promise<number> => {
    inner = folder;
    return Promise.resolve(2);
  };
  await rejects(
    add(1, { ...at, bench: failing }),
    /^Failure: Cannot make the site: stampede site ended with exit code 2$/,
  );
  await rejects(Deno.stat(inner), Deno.errors.NotFound);
  await rejects(
    add(1, { ...at, url: `${url}/nowhere` }),
    /^Failure: Cannot read the branch stampede: [^\n]*; the job needs permissions: contents: write$/,
  );
  await Deno.writeTextFile(`${repository}/hooks/pre-receive`, "#!/bin/sh\necho no >&2; exit 1\n", {
    mode: 0o755,
  });
  await rejects(
    add(1, at),
    /^Failure: Cannot push the branch stampede: [^\n]*pre-receive hook declined/,
  );
  strictEqual(await git(repository, "branch", "--list"), "");
});
