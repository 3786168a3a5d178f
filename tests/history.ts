/** Git repositories of servers that became slower. */
import { ok } from "node:assert/strict";
import { join } from "node:path";

/** The manifest of {@linkcode server}. */
export const MANIFEST = {
  id: "mine",
  name: "Mine",
  language: "TypeScript",
  scenarios: { text: {}, json: {} },
  start: ["deno", "run", "--no-prompt", "-A", "main.ts"],
};

/** Returns a correct server that burns a number of microseconds for each response to `/json`. */
export function server(burnUs: number): string {
  return `
Deno.serve({ hostname: Deno.env.get("HOST"), port: Number(Deno.env.get("PORT")) }, (request) => {
  if (new URL(request.url).pathname !== "/json") return new Response("Hello world");
  const end = performance.now() + ${burnUs / 1000};
  while (performance.now() < end);
  return Response.json({ message: "Hello world", ts: new Date() });
});
`;
}

/** Runs git in a folder and returns its output. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const config = ["-c", "user.name=Ann", "-c", "user.email=x@example.com"];
  const { success, stdout, stderr } = await new Deno.Command("git", {
    args: ["-C", folder, ...config, ...args],
    stdin: "null",
  }).output();
  ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/**
 * Makes a git repository with a server in each of some commits, "Number 0" and so on; the tag `start` is the
 * first one. A server burns these microseconds at `/json`; with null it does not start.
 *
 * @param place path of the server in the repository
 * @returns the folder of the server
 */
export async function history(
  repository: string,
  servers: readonly (number | null)[],
  place = ".",
): Promise<string> {
  const own = join(repository, place);
  await Deno.mkdir(own, { recursive: true });
  await git(repository, "init", "--quiet");
  await Deno.writeTextFile(`${own}/server.json`, JSON.stringify(MANIFEST));
  for (const [number, burnUs] of servers.entries()) {
    const text = burnUs === null ? 'throw new Error("It is broken");' : server(burnUs);
    await Deno.writeTextFile(`${own}/main.ts`, `// ${number}\n${text}`);
    await git(own, "add", "-A");
    await git(own, "commit", "--quiet", "-m", `Number ${number}`);
    if (number === 0) await git(own, "tag", "start");
  }
  return own;
}

/** Returns everything in a repository that a bisection must not change. */
export async function stateOf(folder: string): Promise<unknown> {
  const path = (await git(folder, "rev-parse", "--absolute-git-dir")).trim();
  const { mtime, ino } = await Deno.stat(`${path}/index`);
  return {
    index: [mtime, ino],
    head: await Deno.readTextFile(`${path}/HEAD`),
    log: await Deno.readTextFile(`${path}/logs/HEAD`),
    refs: await git(folder, "for-each-ref"),
    worktrees: await git(folder, "worktree", "list"),
    status: await git(folder, "--no-optional-locks", "status", "--porcelain", "--ignored"),
  };
}
