import { strictEqual } from "node:assert/strict";
import { baseOf } from "./base.ts";
import { git, gitServer, temporary, testWorld } from "./ci_testdata.ts";

Deno.test("the base is the first parent of GitHub's merge, and is fetched if the checkout is shallow", async () => {
  await using folder = await temporary();
  const { url, repository } = await gitServer(folder.path);
  const work = `${folder.path}/work`;
  await git(folder.path, "clone", "--quiet", repository, work);
  const commit = async (name: string): Promise<string> => {
    await Deno.mkdir(`${work}/stampede/shop`, { recursive: true });
    await Deno.writeTextFile(`${work}/stampede/shop/${name}`, name);
    await git(work, "add", ".");
    await git(work, "commit", "--quiet", "-m", name);
    return await git(work, "rev-parse", "HEAD");
  };
  const old = await commit("old");
  await git(work, "checkout", "--quiet", "-b", "quicker");
  const head = await commit("head");
  await git(work, "checkout", "--quiet", "-B", "main", old);
  const newer = await commit("newer");
  await git(work, "checkout", "--quiet", "-b", "merge");
  await git(work, "merge", "--quiet", "--no-ff", "-m", "merge", "quicker");
  await git(work, "push", "--quiet", "--all");

  const shallow = `${folder.path}/shallow`;
  await git(
    folder.path,
    "clone",
    "--quiet",
    "--depth",
    "1",
    "-b",
    "merge",
    `file://${repository}`,
    shallow,
  );
  const event = {
    kind: "pull_request",
    number: 7,
    baseSha: old,
    headSha: head,
    isFork: false,
  } as const;
  const world = testWorld({ GITHUB_SERVER_URL: url });
  const place = { manifest: "stampede/shop/server.json", workspace: shallow, token: "" };
  strictEqual(await baseOf(event, place, world), newer);
  strictEqual(await git(shallow, "show", `${newer}:stampede/shop/newer`), "newer");
  // The checkout is not a merge of this head, so the event counts
  const other = { ...event, headSha: newer };
  strictEqual(await baseOf(other, { ...place, manifest: "stampede/shop" }, world), old);
  strictEqual(await git(shallow, "cat-file", "-t", old), "commit");
  // Without a repository, bench reports the error
  strictEqual(await baseOf(event, { ...place, workspace: "/" }, world), old);
});
