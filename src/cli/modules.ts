/** Fetches the npm packages of `deno.lock` before the modules that need them are imported. */
import { join } from "node:path";
import { Failure } from "../model/errors.ts";
import { hideUrls } from "../model/text.ts";
import { explainFetchFailure } from "../process/fetch_failure.ts";
import { sizeOf } from "../process/files.ts";
import { TextLineStream } from "../process/child.ts";

/** The output for messages about fetching. If it is a terminal, a line can be overwritten. */
interface FetchScreen {
  write(text: string): void;
  readonly isTerminal: boolean;
}

const CLEAR = "\r\x1b[K";

/** Fetches the missing packages of a deno.lock, so that no measured program contacts a registry. */
export async function fetchModules(folder: string, screen: FetchScreen): Promise<void> {
  const lock = await Deno.readFile(join(folder, "deno.lock"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", lock)).toHex();
  const stamp = `${hash} ${Deno.build.target} ${Deno.version.deno}\n`;
  const path = join(folder, "node_modules", ".stampede"); // written after all packages were fetched
  if (await Deno.readTextFile(path).catch(() => null) === stamp) return;
  const startedMs = performance.now();
  const expected = packagesFor(JSON.parse(new TextDecoder().decode(lock)));
  await install(folder, expected, screen);
  const megabytes = (await sizeOf(join(folder, "node_modules")) / 1e6).toFixed(0);
  const tookS = ((performance.now() - startedMs) / 1000).toFixed(0);
  const done = `Fetched ${expected} npm packages in ${tookS} s: ${megabytes} MB in node_modules\n`;
  screen.write(`${screen.isTerminal ? CLEAR : ""}${done}`);
  await Deno.writeTextFile(path, stamp);
}

/** Counts the packages in a lock file (version 5) that this platform needs. */
function packagesFor({ npm = {} }: {
  readonly npm?: Readonly<Record<string, { readonly os?: string[]; readonly cpu?: string[] }>>;
}): number {
  const os = Deno.build.os === "windows" ? "win32" : Deno.build.os;
  const cpu = Deno.build.arch === "aarch64" ? "arm64" : "x64";
  const fits = (allowed: readonly string[] | undefined, own: string): boolean =>
    allowed?.includes(own) ?? true;
  return Object.values(npm).filter((one) => fits(one.os, os) && fits(one.cpu, cpu)).length;
}

async function install(folder: string, expected: number, screen: FetchScreen): Promise<void> {
  screen.write(`Fetching ${expected} npm packages, on the first run only ...`);
  if (!screen.isTerminal) screen.write("\n");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["install", "--frozen"],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const printed: string[] = [];
  let done = 0;
  const lines = child.stderr.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) {
    printed.push(line);
    // The last line that Deno prints for each package
    if (!/^Initialize \S+$/.test(line)) continue;
    done++;
    if (screen.isTerminal) screen.write(`${CLEAR}Fetching npm packages: ${done} of ${expected}`);
  }
  if ((await child.status).success) return;
  if (screen.isTerminal) screen.write("\n");
  const error = printed.find((line) => line.startsWith("error:")) ?? printed.at(-1) ?? "";
  const problem = explainFetchFailure(printed.join("\n")) ?? error;
  throw new Failure(hideUrls(`Cannot fetch Stampede's npm packages: ${problem}`));
}
