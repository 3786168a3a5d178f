/** Lists what Stampede keeps between runs, with sizes, and removes it. */
import { dirname, join } from "node:path";
import { Failure, FINE, messageOf } from "../../model/errors.ts";
import { listFolder, sizeOf } from "../../process/files.ts";
import { cacheFolder } from "../../target/build.ts";
import type { Options } from "../command.ts";
import type { Io } from "../io.ts";

/** The folders in the cache folder. The files next to them take a few kilobytes. */
const FOLDERS: Readonly<Record<string, string>> = {
  builds: "servers that were built",
  versions: "copies of the npm package, each with PostgreSQL and other packages",
  deno: "what Deno has downloaded and compiled for the npm package",
};

export async function clean(_words: readonly string[], options: Options, io: Io): Promise<number> {
  const { cache, dryRun = false } = options;
  const builds = cacheFolder(cache === undefined ? null : io.path(cache), io.env);
  const folder = builds && dirname(builds);
  const names = folder === null ? null : listFolder(folder);
  if (builds === null || folder === null || names === null) {
    io.say(`There is nothing to remove${folder === null ? "" : ` in ${folder}`}`);
    return FINE;
  }
  io.say(`${dryRun ? "In" : "Removing"} ${folder}:`);
  for (const [name, what] of Object.entries(FOLDERS)) {
    if (!names.includes(name)) continue;
    const megabytes = ((await sizeOf(join(folder, name))) / 1e6).toFixed(0);
    io.out(`  ${name.padEnd(9)}${megabytes.padStart(6)} MB  ${what}`);
  }
  if (dryRun) return FINE;
  using _locks = await locked(builds);
  try {
    await Deno.remove(folder, { recursive: true });
  } catch (error) {
    throw new Failure(`Cannot remove ${folder}: ${messageOf(error)}`);
  }
  return FINE;
}

/** Locks every build; throws a Failure if a run uses one. */
async function locked(builds: string): Promise<Disposable> {
  const files = new DisposableStack();
  for (const name of listFolder(builds)?.filter((name) => name.endsWith(".lock")) ?? []) {
    const file = files.use(await Deno.open(join(builds, name), { write: true }));
    if (await file.tryLock(true)) continue;
    files.dispose();
    throw new Failure(`Cannot remove ${builds}: a run uses ${name.replace(".lock", "")}; stop it`);
  }
  return files;
}
