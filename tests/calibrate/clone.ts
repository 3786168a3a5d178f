import { fileURLToPath } from "node:url";
import type { Sandbox } from "../bench.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** File with the handler of `/json` in Stampede's own server. */
const HANDLER = "src/server/routes/plain.ts";
const RESPONSE = 'GET: () => Response.json({ message: "Hello world", ts: isoTime(Date.now()) }),';
const WAIT = `
function wait(ms: number): null {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
  return null;
}
`;

/** Clones this repository into a folder of the sandbox and returns its path. */
export async function clone({ folder }: Sandbox): Promise<string> {
  const path = `${folder}/clone`;
  await git("clone", "--quiet", ROOT, path);
  return path;
}

/** Adds a busy wait of a number of microseconds to `/json` of Stampede's own server, in a clone. */
export async function makeJsonWait(path: string, us: number): Promise<void> {
  const source = await Deno.readTextFile(`${path}/${HANDLER}`);
  const waiting = RESPONSE.replace("() =>", `() => wait(${us / 1000}) ??`);
  const slower = source.replace(RESPONSE, waiting);
  if (slower === source) throw new Error(`${HANDLER} is not as it was`);
  await Deno.writeTextFile(`${path}/${HANDLER}`, slower + WAIT);
}

/** Author of commits. */
const AUTHOR = ["-c", "user.name=x", "-c", "user.email=x@example.com"];

/**
 * Runs git. Commits have an author.
 *
 * @throws {Error} with git's output, if it fails.
 */
export async function git(...args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", { args: [...AUTHOR, ...args] })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
