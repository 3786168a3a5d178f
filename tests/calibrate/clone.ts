import { fileURLToPath } from "node:url";
import type { Sandbox } from "../bench.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The line of `/json` in Stampede's own server before which the wait is inserted. */
const HANDLER = "src/server/routes/plain.ts";
const RESPONSE = 'return Response.json({ message: "Hello world", ts });';
const WAIT = `
function wait(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}
`;

/** Clones this repository into a folder of the sandbox, and returns its path. */
export async function clone({ folder }: Sandbox): Promise<string> {
  const path = `${folder}/clone`;
  await git("clone", "--quiet", ROOT, path);
  return path;
}

/** Makes `/json` of Stampede's own server, in a clone, wait busily for `us` microseconds. */
export async function makeJsonWait(path: string, us: number): Promise<void> {
  const source = await Deno.readTextFile(`${path}/${HANDLER}`);
  const slower = source.replace(RESPONSE, `wait(${us / 1000});\n  ${RESPONSE}`);
  if (slower === source) throw new Error(`${HANDLER} is not as it was`);
  await Deno.writeTextFile(`${path}/${HANDLER}`, slower + WAIT);
}

/** @throws {Error} with what git said, if it fails. */
export async function git(...args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("git", { args: [...args] }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
