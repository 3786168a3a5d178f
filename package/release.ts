// deno-lint-ignore-file no-console -- standard output is its interface
/**
 * Prepares a release: `deno task release` checks the tree, and writes the npm package, its checksum and
 * the release notes to `dist/`. docs/releasing.md says what a person does afterwards.
 */
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import denoConfig from "../deno.json" with { type: "json" };
import { Failure, messageOf } from "../src/model/errors.ts";
import { build, run } from "./build.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "dist");

/** Returns what a changelog says about a version; throws a Failure if it says nothing. */
export function notesOf(changelog: string, version: string): string {
  const [, first = "", notes = ""] = /^## (\S+).*\n([^]*?)(?=^## |(?![^]))/m.exec(changelog) ?? [];
  if (first === version && notes.trim() !== "") return notes.trim() + "\n";
  const found = first === "" ? "no version" : first;
  throw new Failure(`CHANGELOG.md begins with ${found}, but deno.json has version ${version}`);
}

/** Returns why a tree is not the one to release; null if it is. */
export function problemOf(
  { status, tags, tagsHere }: Record<"status" | "tags" | "tagsHere", string>,
  tag: string,
): string | null {
  const [changed] = status.split("\n").filter((line) => line !== "");
  if (changed !== undefined) return `a file is not committed: ${changed.slice(3)}`;
  const isTaken = tags.split("\n").includes(tag) && !tagsHere.split("\n").includes(tag);
  return isTaken ? `the tag ${tag} already names another commit` : null;
}

async function release(): Promise<string[]> {
  const { version } = denoConfig;
  const git = async (...args: string[]): Promise<string> =>
    (await run("git", args, ROOT)).trimEnd();
  const problem = problemOf({
    status: await git("status", "--porcelain"),
    tags: await git("tag"),
    tagsHere: await git("tag", "--points-at", "HEAD"),
  }, `v${version}`);
  if (problem !== null) throw new Failure(`Cannot release this tree: ${problem}`);
  const notes = notesOf(await Deno.readTextFile(join(ROOT, "CHANGELOG.md")), version);
  await run(Deno.execPath(), ["publish", "--dry-run"], ROOT);
  const tarball = await build(DIST);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(tarball)));
  const written = [
    [`${tarball}.sha256`, `${hash.toHex()}  ${basename(tarball)}\n`],
    [join(DIST, "release-notes.md"), notes],
  ] as const;
  for (const [path, text] of written) await Deno.writeTextFile(path, text);
  return [tarball, ...written.map(([path]) => path)];
}

if (import.meta.main) {
  try {
    for (const path of await release()) console.log(`Wrote ${path}`);
    console.log("Next: docs/releasing.md");
  } catch (error) {
    console.error(messageOf(error));
    Deno.exit(1);
  }
}
